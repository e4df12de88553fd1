"""Social IQa as a bank of contexts: the person's name a slot, pronouns gender-neutral, the question an open prompt."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plumbline.vocab.banks import socialiqa_file
from plumbline.vocab.banks.definitional import gendered_words
from plumbline.vocab.banks.neutral import FEMININE, MASCULINE, neutral, pronouns_of
from plumbline.vocab.banks.prompts import follows, prompt_of
from plumbline.vocab.banks.reading import Questions, first_few, named
from plumbline.vocab.banks.seed_names import seed_names
from plumbline.vocab.banks.slots import SLOT, left_names, slotted
from plumbline.vocab.banks.socialiqa_file import CHOICES, Line

ABOUT = {
    "title": "Social IQa contexts",
    "source": "Sap, Rashkin, Chen, Le Bras and Choi 2019, Social IQa: Commonsense Reasoning about Social Interactions",
    "licence": "Not stated in the file; ask the source before passing it on",
    "origin": "US, English, 2019",
}
NO_NAME, NO_PROMPT, UNFIT = "no seed name", "no prompt", "answer does not follow the prompt"


def questions(path: Path) -> Questions:
    """Return the items of a file in its order. Raises InputError as `socialiqa_file.read`."""
    lines = socialiqa_file.read(path)
    items = items_of(lines)
    return Questions(items, named([path]), ABOUT, _notices(items))


def items_of(lines: Sequence[tuple[Line, int]]) -> list[dict[str, Any]]:
    """Return one item a line: id (the line's number, from 0 on), context, question, prompt, answer, others, label, ...

    An item without a seed name or with an unknown question has an empty prompt, so that no run takes it.
    """
    names = seed_names([line.question for line, _ in lines], [line.context for line, _ in lines])
    rows = zip(lines, names, strict=True)
    return [_item(number, line, label, name) for number, ((line, label), name) in enumerate(rows)]


def _item(number: int, line: Line, label: int, name: str) -> dict[str, Any]:
    flags = [] if name else [NO_NAME]
    texts = []
    for text in (line.context, line.question, *line.answers):
        put = slotted(text, name) if name else text
        flags += [f"name left: {word}" for word in (left_names(put, name) if name else ())]
        plain, left = neutral(put)
        flags += [*left, *(f"gendered word: {word}" for word in gendered_words(plain))]
        texts.append(plain)
    context, question, *answers = texts
    answer = answers.pop(label)
    prompt = prompt_of(question, answer) if name and SLOT in context + question else ""
    if len([sex for sex in (FEMININE, MASCULINE) if sex & _pronouns(line)]) > 1:
        flags.append("pronouns of two genders")
    flags += [NO_PROMPT] if not prompt else [UNFIT] if not follows(prompt, answer) else []
    return {
        "id": str(number),
        "context": context,
        "question": question,
        "prompt": prompt,
        "answer": answer,
        "others": answers,
        "label": CHOICES[label],
        "seed_name": name,
        "flags": list(dict.fromkeys(flags)),
    }


def _pronouns(line: Line) -> set[str]:
    return set().union(*(pronouns_of(text) for text in (line.context, line.question, *line.answers)))


def _notices(items: Sequence[dict[str, Any]]) -> list[str]:
    """Return how many items are usable, which are not and why, and all other flags."""
    usable = [item for item in items if item["prompt"]]
    undecided = [item["id"] for item in items if NO_NAME in item["flags"]]
    unknown = [item["question"] for item in items if NO_PROMPT in item["flags"] and NO_NAME not in item["flags"]]
    told = [f"{len(usable):,} of {len(items):,} items can be contexts."]
    if undecided:
        told.append(f"no rule decides whom {len(undecided):,} items are about: {first_few(undecided)}.")
    if unknown:
        told.append(f"{len(unknown):,} items ask what has no prompt: {first_few(map(repr, dict.fromkeys(unknown)))}.")
    kinds = Counter(kind for item in usable for kind in {flag.partition(":")[0] for flag in item["flags"]})
    if kinds:
        counts = "; ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
        told.append(f"flagged among them: {counts}. Look at them in the admin, and choose with `only`.")
    return told
