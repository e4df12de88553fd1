"""Files of words: CSV, XLSX or JSON, recognised by their content."""

from plumbline.vocab import csv_file, json_file, onet_file, ratings_file, spreadsheets
from plumbline.vocab.faults import named
from plumbline.vocab.kinds import Kind
from plumbline.vocab.listing import list_columns
from plumbline.vocab.sheet import Sheet


def read(kind: Kind, name: str, data: bytes, demographics: str = "") -> Sheet:
    """Return the rows of a file of that kind and name. Raises InputError, naming the file, if it is no such file.

    `demographics` is the JSON text that belongs to ratings in the form of Cao et al. (see ratings_file).
    """
    required, known = kind.columns[0], (*list_columns(kind), *kind.columns)
    if data.startswith(spreadsheets.SIGNATURE):
        with named(name):
            return spreadsheets.read(data, required, known)
    text, notices = csv_file.decode(name, data)
    with named(name):
        if kind.name == "ratings" and ratings_file.is_nested(text):
            sheet = ratings_file.read(text, demographics)
        elif kind.name == "attributes" and onet_file.is_onet(text):
            sheet = onet_file.read(text)
        else:
            sheet = json_file.read(text, known) if _is_json(name, text) else csv_file.read(text, required, known)
    sheet.notices[:0] = notices
    return sheet


def _is_json(name: str, text: str) -> bool:
    return name.lower().endswith(".json") or text[:1000].lstrip().startswith(("[", "{"))
