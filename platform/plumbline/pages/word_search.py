"""Search of words in texts, as tallies count them: letters and digits, with inner hyphens and apostrophes."""

import re
from functools import lru_cache

_ENDS = r"(?:['’](?:s|m|d|re|ve|ll))"


@lru_cache(maxsize=64)
def _whole(word: str) -> re.Pattern[str]:
    before, end = r"(?<![^\W_])(?<![^\W_][-'’])", r"(?![^\W_])(?![-'’][^\W_])"
    return re.compile(f"{before}{re.escape(word)}{_ENDS}?{end}")


def has_word(text: str, word: str) -> bool:
    """Return whether the word occurs in the text as a whole word. Case matters, an 's at its end does not."""
    return _whole(word).search(text) is not None
