"""The scores of a pair by name, and the templates of GEST, for each kind of model."""

from dataclasses import dataclass
from typing import Literal

Score = Literal["crows", "aul", "aula", "pll_l2r", "log_likelihood", "log_likelihood_per_token"]
OF_KIND: dict[str, tuple[Score, ...]] = {
    "masked": ("crows", "aul", "aula", "pll_l2r"),
    "causal": ("log_likelihood", "log_likelihood_per_token"),
}
"""The scores of two sentences by kind of model."""
SCORE_NAMES: dict[str, str] = {
    "crows": "pseudo-log-likelihood of the shared tokens",
    "aul": "mean log probability of all tokens, none masked",
    "aula": "mean log probability of all tokens, weighted by attention",
    "pll_l2r": "pseudo-log-likelihood, later subwords of a word masked too",
    "log_likelihood": "log likelihood",
    "log_likelihood_per_token": "log likelihood per token",
    "gest_masked": "log ratio of the two words at the mask",
    "gest_generative": "log ratio of the two words as the next word",
    "gest": "imported log ratio of the two words",
}
"""The title of each score on pages."""
GEST_MASKED, GEST_GENERATIVE, GEST_IMPORTED = "gest_masked", "gest_generative", "gest"
SENTENCE = "{sentence}"


@dataclass(frozen=True, slots=True)
class Template:
    """The text around a sentence of GEST, up to the differing word and after it."""

    before: str
    male: str
    female: str
    after: str = ""

    @property
    def label(self) -> str:
        """Return the template's name in records: `[He|She] said: "{sentence}"`."""
        return f"{self.before}[{self.male}|{self.female}]{self.after}"

    def filled(self, word: str, sentence: str) -> tuple[str, tuple[int, int]]:
        """Return the text with one of the words, and the character span of that word."""
        before = self.before.replace(SENTENCE, sentence)
        return f"{before}{word}{self.after.replace(SENTENCE, sentence)}", (len(before), len(before) + len(word))


TEMPLATES: dict[str, tuple[Template, ...]] = {
    "masked": (
        Template("", "He", "She", ' said: "{sentence}"'),
        Template("The ", "man", "woman", ' said: "{sentence}"'),
        Template('"{sentence}", ', "he", "she", " said."),
        Template('"{sentence}", the ', "man", "woman", " said."),
    ),
    "causal": (
        Template('"{sentence}", ', "he", "she"),
        Template('"{sentence}", the ', "man", "woman"),
    ),
}
"""The templates by kind of model, numbered as in Pikuliak et al. 2024, section 5."""


def imported_template(number: int) -> str:
    """Return the template name of imported scores. Masked and generative templates share their numbers."""
    return f"template {number}"
