"""Files of accepted lists: the tables that the generator of BBQ reads with the templates."""

from collections.abc import Iterator

from plumbline.methods.bbq.proposals.accepting import PARTS, PROPOSED
from plumbline.methods.bbq.proposals.rules import JOB
from plumbline.vocab import csv_file
from plumbline.vocab.models import AttributeSet, NameList

NAMES, LABELS = "vocabulary_proper_names.csv", "vocabulary.csv"
NAME_COLUMNS = ("Name", "First_last", "gender", "ethnicity", "source", "info")
LABEL_COLUMNS = ("Category", "SubCat", "Name", "Info", "Source")


def accepted_slugs() -> list[str]:
    """Return the names under which curators made such lists."""
    lists = [*NameList.objects.all(), *AttributeSet.objects.all()]
    slugs = (one.slug for one in lists if one.description.startswith(PROPOSED))
    return sorted({slug.rpartition("-")[0] for slug in slugs})


def files_of(slug: str) -> dict[str, str]:
    """Return CSV texts by file name, without empty ones. They hold later edits of the lists."""
    names, jobs = list(_names(slug)), list(_jobs(slug))
    found = {NAMES: csv_file.write(NAME_COLUMNS, names), LABELS: csv_file.write(LABEL_COLUMNS, jobs)}
    return {name: found[name] for name, rows in ((NAMES, names), (LABELS, jobs)) if rows}


def _names(slug: str) -> Iterator[dict[str, str]]:
    for part, form in PARTS.items():
        for word_list in NameList.objects.filter(slug=f"{slug}-{form.ending}"):
            for name in word_list.rows():
                told = {"gender": name.gender, "ethnicity": name.race, "source": word_list.title, "info": name.note}
                yield {"Name": name.name, "First_last": part, **told}


def _jobs(slug: str) -> Iterator[dict[str, str]]:
    for word_list in AttributeSet.objects.filter(slug=f"{slug}-{PARTS[JOB].ending}"):
        for job in word_list.rows():
            told = {"Name": job.text, "Info": job.category, "Source": word_list.title}
            yield {"Category": "SES", "SubCat": "Occupation", **told}
