"""A report of what a plan can show, on stderr before its launch."""

import sys

from plumbline.findings.sensitivity import Sensitivity


def print_sensitivity(found: Sensitivity) -> None:
    """Write one sentence a line, with warnings marked."""
    lines = (f"{'warning: ' * one.warns}{one.sentence}\n" for one in found.statements)
    sys.stderr.write("".join(lines))
