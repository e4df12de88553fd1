"""A script of its own: read HTML from the standard input, write a tagged PDF (PDF/UA-1) to the standard output.

It runs in a process apart, so that typesetting never holds a web process, and can be stopped. It imports nothing of
Plumbline and fetches nothing: a report is self-contained.
"""

import os
import sys

MISSING = 3
"""The exit status if a library is missing."""


def main() -> int:
    os.nice(5)
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except (ImportError, OSError) as error:  # without pango, the import ends with an OSError
        sys.stderr.write(" ".join(str(error).split())[:300])
        return MISSING
    page = HTML(string=sys.stdin.buffer.read().decode(), url_fetcher=URLFetcher(allowed_protocols=()))
    sys.stdout.buffer.write(page.write_pdf(pdf_variant="pdf/ua-1"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
