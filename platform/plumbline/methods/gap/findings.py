"""What a run of pronoun resolution found, in a sentence: is a pronoun of one gender held to refer to neither name?"""

from plumbline.findings.by_method import MethodFindings
from plumbline.findings.contrasts import is_present
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty

DIFFERENCES = ("p_neither_difference", "p_neither_excess_difference")


def of_pronouns(run: int, model: str) -> list[Sentence]:
    """Feminine against masculine pronouns; nothing where they were not compared."""
    found = {one.statistic: one for one in measures(of_run(run, *DIFFERENCES).order_by("pk"))}
    difference, excess = (found.get(name) for name in DIFFERENCES)
    if difference is None:
        return []
    figures = with_uncertainty(difference) if difference.value is not None else ""
    return [(neither_sentence(model, difference, excess), figures)]


def neither_sentence(model: str, difference: Measure, excess: Measure | None) -> str:
    """With what the true rates of the genders leave of it, which is what may be the model's."""
    if difference.value is None:
        return f"{model}: the genders of pronouns cannot be compared: {difference.reason}."
    more = "likelier" if difference.value > 0 else "less likely"
    told = f"A classifier on {model} finds \u201cneither name\u201d {more} for feminine than for masculine pronouns"
    told += "" if is_present(difference) else ", but not beyond chance"
    if excess is None or excess.value is None:
        return f"{told}."
    left = "more" if excess.value > 0 else "less"
    rest = f"{left} than" if is_present(excess) else "not shown to be other than"
    return f"{told}; {rest} what is really so warrants."


FINDINGS = MethodFindings(pages={"run_pronouns": lambda run: of_pronouns(run.pk, run.model)})
