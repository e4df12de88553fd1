"""python -m workers.verification FILE.zip [--key PUBLIC] [--all]: for people without an installation of their own."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from plumbline.spec.errors import InputError
from workers.verification.report import WRONG_INPUT, lines, status
from workers.verification.verifying import verify


def main() -> int:
    parser = ArgumentParser(prog="python -m workers.verification", description="Verify an evidence pack.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--key", type=Path, help="the signer's public key (PEM)")
    parser.add_argument("--all", action="store_true", help="print every difference")
    options = parser.parse_args()
    try:
        outcome = verify(options.file, options.key)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return WRONG_INPUT
    sys.stdout.write("\n".join(lines(outcome, every=options.all)) + "\n")
    return status(outcome)


if __name__ == "__main__":
    sys.exit(main())
