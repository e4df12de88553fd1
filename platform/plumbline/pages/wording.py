"""Which texts have a word in them, as tallies count it: letters and digits, hyphens and apostrophes inside. Pure."""

import re
from functools import lru_cache

_ENDS = r"(?:['’](?:s|m|d|re|ve|ll))"


@lru_cache(maxsize=64)
def _whole(word: str) -> re.Pattern[str]:
    before, end = r"(?<![^\W_])(?<![^\W_][-'’])", r"(?![^\W_])(?![-'’][^\W_])"
    return re.compile(f"{before}{re.escape(word)}{_ENDS}?{end}")


def has_word(text: str, word: str) -> bool:
    """Whether the word stands in the text by itself; case counts, and an 's at its end does not."""
    return _whole(word).search(text) is not None
