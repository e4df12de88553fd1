"""Whether a word leans more than its list: the whole list may lean one way, and the word only with it."""

from plumbline.audits.models import Run
from plumbline.findings.contrasts import is_present
from plumbline.findings.models import Finding
from plumbline.results.summary import OF_CELLS, OVERALL, UNDER_OTHER_PRIOR, measures, of_run
from plumbline.spec.numbers import number


def list_mean_sentence(run: Run, finding: Finding, value: float) -> str:
    """Return whether a word with this difference is shown to lean more than its list, or "".

    "" if the list is not shown to lean the same way, and for methods without such a test. Two queries.
    """
    pair = {"group_a": finding.group_a, "group_b": finding.group_b, "category": finding.category}
    centred, own = of_run(run.pk, f"{finding.statistic}_centred"), of_run(run.pk, finding.statistic)
    beyond = measures(centred.filter(OF_CELLS, attribute=finding.attribute, **pair))
    lists = measures(own.filter(OVERALL, **pair).exclude(UNDER_OTHER_PRIOR))
    mean = next((one for one in lists if is_present(one) and (one.value or 0.0) * value > 0), None)
    if not finding.attribute or not beyond or mean is None:
        return ""
    leans_more = any(is_present(one) and (one.value or 0.0) * value > 0 for one in beyond)
    return (
        f"On average the words of {finding.category or 'the list'} lean this way, too: {number(mean.value)}. A second"
        f" test compares the word with this average: it is {'' if leans_more else 'not '}shown to lean more."
    )
