"""Sentences on the agreement of two methods, from a stored row."""

from collections.abc import Mapping
from typing import Any

from plumbline.spec.numbers import compared, counted, number, probability
from plumbline.spec.verdicts import Verdict

Row = Mapping[str, Any]

KINDS = {
    "opposed": "Opposite signs, both present",
    "intervals": "Opposite signs by intervals",
    "absent": "Present in one, absent in the other",
}
KIND_SENTENCES = {
    "opposed": "{n} of these are present in both methods.",
    "intervals": "{n} of these have intervals on opposite sides of 0, but one of the methods gives no verdict.",
    "absent": "In {n}, one is present, and the other is shown to be smaller than the smallest effect that matters.",
}
OF_SCALE = "The units of the methods differ, so this may be a matter of scale."
MOST_GROUPS_NAMED = 4


def agreement_sentence(row: Row) -> str:
    """Return what the row says, in one sentence or two."""
    a, b = row["a"]["title"], row["b"]["title"]
    if why := too_little(row):
        return f"{a} and {b}: {why}"
    if row["low"] is None:
        order = "the same order" if row["tau"] > 0 else "the opposite order"
        return f"{a} and {b} give the words exactly {order}. Nothing varies, so there is no interval and no test."
    leaning = f"by how much each leans to {_groups(row['groups'])}"
    if row["verdict"] == Verdict.PRESENT:
        how = "alike" if row["tau"] > 0 else "in opposite ways"
        return f"{a} and {b} tend to order the words {how}, {leaning}."
    if row["verdict"] == Verdict.ABSENT:
        smaller = f"tau is shown to be smaller than {row['smallest_effect']:g}"
        return f"{a} and {b} order the words almost independently, {leaning}: {smaller}."
    return f"It is undecided whether {a} and {b} order the words alike, {leaning}. {_why_undecided(row)}".strip()


def too_little(row: Row) -> str:
    """Return why the row has no correlation, or ""."""
    if not row["shared_words"] or not row["groups"]:
        return "they share no word with the same groups."
    if len(row["groups"]) < 2:
        return f"they share only the group {row['groups'][0]}, and leaning is relative to another group."
    if row.get("equal_left_out") and row["equal"] == row["shared_words"]:
        return f"they compute the very same scores of all {counted(row['equal'], 'word')} that they share."
    if row["families"] < row["fewest"]:
        few = counted(row["families"], "word family")
        return f"too few shared: {few}. A correlation needs {row['fewest']}."
    return "" if row["tau"] is not None else "one of them gives all shared words the same score."


def _why_undecided(row: Row) -> str:
    if row["low"] <= 0 <= row["high"]:
        return "The interval holds 0."
    if abs(row["tau"]) <= row["smallest_effect"]:
        return f"The interval does not hold 0, but tau is within {row['smallest_effect']:g}, the smallest that matters."
    return "The interval does not hold 0, but q, which counts all pairs of methods, is not below 0.05."


def tau_text(row: Row) -> str:
    """Return tau with its interval."""
    interval = f" [{number(row['low'])}, {number(row['high'])}]" if row["low"] is not None else " (no interval)"
    return f"{number(row['tau'])}{interval}"


def agreement_figures(row: Row) -> str:
    """Return tau with its interval, the numbers of words and families, and q, or "" without a correlation."""
    if row["tau"] is None:
        return ""
    q = f"  q {compared(probability(row['q_value']))}" if row["q_value"] is not None else ""
    n = f"n = {counted(row['words'], 'word')}, {counted(row['families'], 'word family')}"
    return f"tau = {tau_text(row)}  {n}{q}"


def same_order(row: Row) -> str:
    """Return the share of pairs of words in the same order, as tau gives it without ties, or ""."""
    if row["tau"] is None or row["verdict"] != Verdict.PRESENT:
        return ""
    return f"Both give about {(1 + row['tau']) / 2:.0%} of the pairs of words the same order. Chance gives 50%."


def equal_scores(row: Row) -> str:
    """Return for how many words both methods give the same scores, so that they agree by construction, or ""."""
    equal = row.get("equal", 0)  # comparisons of an earlier release did not count them
    if not equal:
        return ""
    told = f"Of {counted(equal, 'word')} of {row['shared_words']:,} both give the very same scores"
    if row.get("equal_left_out"):
        return f"{told}: there they compute the same. These words are left out, since they are no second evidence."
    return f"{told}: there they compute the same, so their agreement is no second evidence."


def contradiction_sentence(row: Row) -> str:
    """Return how many shared estimates contradict each other in which way, or why none could be compared."""
    if not row["compared"]:
        return (
            "No single words can be held against each other here. That needs differences between the same two groups"
            " from both methods, or scores whose zero means “no link” in both."
        )
    told = (
        f"{counted(row['compared'], 'estimate')} can be held against each other. {row['opposite']} have opposite signs."
    )
    kinds = [sentence.format(n=n) for kind, sentence in KIND_SENTENCES.items() if (n := row["kinds"][kind])]
    of_scale = [OF_SCALE] if row["kinds"]["absent"] and row["a"].get("unit") != row["b"].get("unit") else []
    none = ["None of them contradict each other by their verdicts or intervals."]
    return " ".join([told, *(kinds or none), *of_scale])


def estimate_text(one: Row) -> str:
    """Return a value with its interval, its number of items and its verdict."""
    interval = f" [{number(one['low'])}, {number(one['high'])}]" if one["low"] is not None else " (no interval)"
    verdict = one["verdict"] or "no verdict"
    return f"{number(one['value'])}{interval}  n = {counted(one['n'], 'item')}  {verdict}"


def why_sentences(row: Row) -> list[str]:
    """Return what differs between the two methods and runs, and how words were matched."""
    a, b = row["a"], row["b"]
    if a["templates"] and b["templates"]:
        same = row["shared_templates"]
        share = f"share {counted(same, 'template')}" if same else "share no template"
        templates = f"Run {a['run']} has {counted(a['templates'], 'template')}, run {b['run']} has {b['templates']}."
        told = [f"{templates} They {share}."]
    else:
        told = []
    return [*row["why"], *told]


def _groups(labels: list[str]) -> str:
    if len(labels) <= MOST_GROUPS_NAMED:
        return " or ".join([", ".join(labels[:-1]), labels[-1]])
    return f"one of {len(labels)} groups"
