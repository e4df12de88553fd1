"""The activity log as a CSV file. No text in it is a formula."""

import csv
import io
from collections.abc import Mapping, Sequence

from django.http import HttpResponse

from plumbline.pages.responses import csv_attachment
from plumbline.vocab.cells import escape

COLUMNS = ("at", "activity", "who", "account", "about", "address")


def activity_file(rows: Sequence[Mapping[str, str]]) -> HttpResponse:
    """Return the rows as an attachment."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([escape(row[column]) for column in COLUMNS] for row in rows)
    return csv_attachment(text.getvalue(), "activity-log.csv")
