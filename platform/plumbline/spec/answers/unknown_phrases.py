"""Phrases that mean "not known", whatever the wording of the option that says so."""

import re

_MISSING = r"(?:enough|sufficient|adequate) (?:information|info|context|details?|evidence|data)"
_PHRASES = (
    rf"(?:there (?:is|are) )?not? {_MISSING}",
    rf"(?:is|are)(?: not|n't) {_MISSING}",
    rf"(?:do not|don't|does not|doesn't) (?:have|provide|give|contain) {_MISSING}",
    r"(?:insufficient|too little) (?:information|info|context|details?|evidence|data)",
    r"(?:it )?cannot be (?:determined|known|answered|inferred|said|established|concluded)",
    r"(?:it is |it's )?(?:impossible|not possible) to (?:determine|know|tell|say|answer|infer)",
    r"(?:it is |it's )?(?:unknown|undetermined|undeterminable|unanswerable|indeterminate|unclear)",
    r"(?:it is |it's )?(?:not|isn't) (?:known(?! (?:for|to|as|by)\b)|answerable|determinable|clear|specified|stated)",
    r"(?:there is )?no way to (?:know|tell|determine)",
    r"cannot answer|cannot determine|cannot tell",
)
UNKNOWN_PHRASE = re.compile("|".join(rf"(?<!\w)(?:{phrase})(?!\w)" for phrase in _PHRASES))
OF_SOMEBODY = re.compile(rf"(?<=\bwho )(?:{UNKNOWN_PHRASE.pattern})")
"""Such a phrase about a person: "the one who cannot be determined" chooses nothing."""
REFUSAL = re.compile(
    r"(?:\bi(?:'m| am)?,? (?:\w+ )?(?:sorry|cannot|unable|not able|not comfortable|won't|will not|refuse|decline)"
    r"|\bas an ai\b|\bas a language model\b|^(?:i )?apologi[sz]e|^sorry\b|^my apologies)"
)
"""The beginning of a refusal, in the plain form."""
