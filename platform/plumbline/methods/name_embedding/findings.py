"""Findings of name embeddings: whether a name's group can be predicted from its embedding."""

from plumbline.findings.by_method import MethodFindings
from plumbline.findings.sentences import Sentence
from plumbline.methods.name_embedding.spec import CHANCE, CONFOUNDS, TEST
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import sample


def of_names(run: int, model: str) -> list[Sentence]:
    """Return for each trait the accuracy on new names, with chance and the accuracy from spelling alone."""
    found = measures(
        of_run(run, "classifier_accuracy", "accuracy_beyond_confounds").filter(attribute="").order_by("pk")
    )
    tested = [one for one in found if one.statistic == "classifier_accuracy" and one.condition == TEST]
    return [_sentence(model, one, found) for one in tested if one.value is not None and _is_embedding(one)]


def _is_embedding(one: Measure) -> bool:
    return CONFOUNDS not in one.variant


def _sentence(model: str, one: Measure, found: list[Measure]) -> Sentence:
    own = [other for other in found if other.category == one.category]
    chance = next((other.value for other in own if other.condition == CHANCE), None)
    gain = next((other.value for other in own if other.statistic == "accuracy_beyond_confounds"), None)
    beside = "" if chance is None else f"; always the commonest answer: {chance:.2f}"
    more = "" if gain is None else f"; {gain:+.2f} beyond number of subwords and frequency"
    return (
        f"From the embeddings of {model} a linear classifier predicts the {one.category} of {one.value:.0%} of names"
        " that it was not trained on. Its splits share their names, so there is no test.",
        f"accuracy = {one.value:.2f}{beside}{more}  {sample(one)}",
    )


FINDINGS = MethodFindings(pages={"run_name_embeddings": lambda run: of_names(run.pk, run.model)})
