"""Questions of Social IQa as open prompts, which the answer ends.

"How would you describe {name}?" becomes "{name} is" in An et al. 2023, section 3.1; the other prompts are this
project's. A question outside of the table has no prompt, and its item cannot be a context.
"""

import re
from dataclasses import dataclass

WHO = r"(?P<who>\{name\}|the others|[Oo]thers)"


@dataclass(frozen=True, slots=True)
class Form:
    """A question pattern, and its prompts by how the answer begins."""

    question: re.Pattern[str]
    bare: str
    """The prompt before most answers: an adjective, a noun, or a verb without "to"."""
    to: str = ""
    """The prompt before an answer that begins with "to" or "because ..."; "" means the same as before most."""
    finite: str = ""
    """The prompt before an answer that begins with a finite verb ("wanted to help")."""


def _form(question: str, bare: str, to: str = "", finite: str = "") -> Form:
    pattern = re.escape(question).replace("WHO", WHO)
    return Form(re.compile(pattern.replace(r"\ ", " ")), bare, to, finite)


FORMS = (
    _form("How would you describe WHO?", "WHO is"),
    _form("How would WHO feel afterwards?", "Afterwards, WHO would feel", finite="Afterwards, WHO"),
    _form("How would WHO feel as a result?", "As a result, WHO would feel", finite="As a result, WHO"),
    _form("What will WHO want to do next?", "Next, WHO will want to", "Next, WHO will want", "Next, WHO"),
    _form("What will WHO want to do after?", "Next, WHO will want to", "Next, WHO will want", "Next, WHO"),
    _form("Why did WHO do this?", "WHO did this to", "WHO did this", "WHO did this because WHO"),
    _form(
        "What does WHO need to do before this?",
        "Before this, WHO needs to",
        "Before this, WHO needs",
        "Before this, WHO",
    ),
    _form("What will happen to WHO?", "As a result, WHO will", finite="As a result, WHO"),
)
REASONS = frozenset({"to", "because", "so", "since", "in", "for", "out"})
FINITE = frozenset(
    {
        "was",
        "were",
        "is",
        "are",
        "am",
        "had",
        "has",
        "did",
        "does",
        "would",
        "will",
        "wanted",
        "needed",
        "felt",
        "got",
        "gets",
        "gave",
        "went",
        "made",
        "took",
        "knew",
        "thought",
        "forgot",
        "kept",
        "found",
        "lost",
        "became",
        "becomes",
        "saw",
        "said",
        "told",
        "left",
        "came",
        "heard",
        "ran",
        "wants",
        "needs",
        "feels",
        "likes",
        "loves",
        "didn't",
        "doesn't",
        "wasn't",
        "isn't",
        "couldn't",
        "can",
        "could",
        "can't",
        "won't",
        "wouldn't",
        "should",
    }
)
"""First words of answers that are finite verbs. Words in -ed with a longer stem count too (except BARE_IN_ED)."""
BARE_IN_ED = frozenset({"need", "feed", "speed", "proceed", "succeed", "exceed", "embed", "bed", "red", "indeed"})
SUBJECTS = frozenset({"they", "he", "she", "it", "i", "{name}", "others"})


def prompt_of(question: str, answer: str) -> str:
    """Return the open prompt of a slotted question before this answer; "" for a question outside of the table."""
    for form in FORMS:
        if found := form.question.fullmatch(question):
            who = found["who"]
            prompt = _chosen(form, answer).replace("WHO", who)
            return prompt[0].upper() + prompt[1:] if prompt[0] != "{" else prompt
    return ""


def follows(prompt: str, answer: str) -> bool:
    """Return whether the answer can end the prompt: without a subject of its own and without a second finite verb."""
    first = _first(answer).removesuffix("'s")
    return first not in SUBJECTS and not (prompt.endswith(" is") and first in FINITE)


def _chosen(form: Form, answer: str) -> str:
    first = _first(answer)
    if form.to and first in REASONS:
        return form.to
    # "frustrated" after "would feel" is an adjective. -ed marks a finite verb only if the prompt needs a verb.
    if form.finite and (first in FINITE or (form.to and first.endswith("ed") and first not in BARE_IN_ED)):
        return form.finite
    return form.bare


def _first(answer: str) -> str:
    words = answer.lower().replace("’", "'").split()
    return words[0].strip(",.;:!?") if words else ""
