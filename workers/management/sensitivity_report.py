"""A report of what a plan can show, on stderr before its launch."""

import sys

from plumbline.findings.sensitivity import sensitivity
from plumbline.spec.audit import AuditSpec


def print_sensitivity(spec: AuditSpec) -> None:
    """Write one sentence a line, with warnings marked. Raises InputError as a launch does."""
    lines = (f"{'warning: ' * one.warns}{one.sentence}\n" for one in sensitivity(spec).statements)
    sys.stderr.write("".join(lines))
