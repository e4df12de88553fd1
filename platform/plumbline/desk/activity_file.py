"""The activity log as a CSV file. No text in it is a formula."""

import csv
import io
from collections.abc import Mapping, Sequence

from django.http import HttpResponse

from plumbline.vocab.cells import escape

COLUMNS = ("at", "activity", "who", "account", "about", "address")


def activity_file(rows: Sequence[Mapping[str, str]]) -> HttpResponse:
    """Return the rows as an attachment."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([escape(row[column]) for column in COLUMNS] for row in rows)
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="activity-log.csv"'
    return response
