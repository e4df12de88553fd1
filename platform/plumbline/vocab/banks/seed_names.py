"""The person that a question of Social IQa is about, found by rule and never guessed.

The people of a file are those whom its questions name. The person of an item is

1. the only one of them whom the question names;
2. if it names none ("What will Others want to do next?"), the only one of them who is in the context;
3. if these are several, the file's own name, if it is one of them: the one in at least half of all questions that
   name somebody, as happens if one name replaced all others (the file of An et al. 2023).

The person must be in the context. If no rule decides, the item has no seed name and is no context.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_NAME = re.compile(r"(?<!^)\b[A-Z][a-z]+\b")
NO_NAMES = frozenset({"Others", "Other", "The", "They", "She", "He", "I"})


def seed_names(questions: Sequence[str], contexts: Sequence[str]) -> list[str]:
    """Return the person of each item; "" if no rule decides. Questions and contexts belong together one by one."""
    asked = [capitalised(question) for question in questions]
    counts = Counter(name for names in asked for name in names)
    total = sum(map(bool, asked))
    own = next((name for name, count in counts.most_common(1) if 2 * count >= total), "")
    return [_decided(_among(names or counts, context), own) for names, context in zip(asked, contexts, strict=True)]


def capitalised(question: str) -> list[str]:
    """Return the people that a question names: capitalised words behind the first one."""
    return [name for name in dict.fromkeys(_NAME.findall(question)) if name not in NO_NAMES]


def _among(people: Iterable[str], context: str) -> list[str]:
    words = set(re.findall(r"\w+", context))
    return [name for name in people if name in words]


def _decided(names: Sequence[str], own: str) -> str:
    if len(names) == 1:
        return names[0]
    return own if own in names else ""
