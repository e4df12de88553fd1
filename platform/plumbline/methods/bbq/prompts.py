"""The text of a question of BBQ for each kind of model. The options are in the requested order."""

from collections.abc import Iterator, Sequence
from itertools import chain, permutations

from plumbline.methods.bbq.params import BbqParams
from plumbline.spec.answers.chat_question import (
    INSTRUCTION,
    LETTERS,
    WorkedExample,
    chat_question,
    tokens_of,
    with_letters,
)
from plumbline.spec.banks.bbq_question import AMBIG, OPTIONS, Question

ANSWER = "Answer:"
NEUTRAL = "Answer the question."
"""The text of a chat's turn in the prior of `pmi`."""

Order = tuple[int, ...]
"""The option, by its place in the bank, at each place."""


def orders(params: BbqParams, lists_options: bool) -> list[Order]:
    """Return the orders in which an item is asked: only the bank's order if the model sees each option alone."""
    given = tuple(range(OPTIONS))
    if not lists_options or params.orders == "given":
        return [given]
    if params.orders == "cyclic":
        return [given[first:] + given[:first] for first in given]
    return list(permutations(given))


def questions_to_ask(questions: Sequence[Question], params: BbqParams) -> Iterator[Question]:
    """Return all items; without contexts only the ambiguous ones, since the others ask the same then."""
    return (one for one in questions if not params.question_only or one.condition == AMBIG)


def multiple_choice(question: Question, params: BbqParams, option: str) -> tuple[str, str]:
    """Return the two texts for a multiple-choice model.

    `race`: context, then question and option, as for models fine-tuned on RACE (Parrish et al. 2022, section 5).
    `arc`: context and question, then the option, as for those fine-tuned on Social IQa.
    """
    context = "" if params.question_only else question.context
    if params.layout == "race":
        return context, f"{question.question} {option}"
    return f"{context} {question.question}".strip(), option


def text_to_text(question: Question, params: BbqParams, options: Sequence[str]) -> str:
    r"""Return UnifiedQA's formats, lower case, with a literal backslash and n between the parts (Khashabi et al. 2020).

    `race`: question \n (a) ... (b) ... (c) ... \n context; `arc`: context and question together, then the options.
    """
    listed = " ".join(f"({letter.lower()}) {option}" for letter, option in zip(LETTERS, options, strict=True))
    if params.question_only:
        parts = [question.question, listed]
    elif params.layout == "race":
        parts = [question.question, listed, question.context]
    else:
        parts = [f"{question.context} {question.question}", listed]
    return " \\n ".join(parts).lower()


def causal(question: Question, params: BbqParams, options: Sequence[str], lettered: bool) -> str:
    """Return the text before the option or its letter.

    A chat's turn has no "Answer:", since the model's own turn follows.
    """
    lines = [] if params.question_only else [question.context]
    lines.append(f"Question: {question.question}")
    if lettered:
        lines += with_letters(options)
    elif params.listed:
        lines.append(f"Options: {'; '.join(options)}")
    if params.prompt == "chat":
        return "\n".join([*lines, INSTRUCTION] if lettered else lines)
    return "\n".join([*lines, ANSWER])


def remote(question: Question, params: BbqParams, options: Sequence[str]) -> str:
    """Return a chat's turn for an endpoint without logits and likelihoods: options with letters, one as the answer."""
    context = None if params.question_only else question.context
    return chat_question(context, question.question, options, params.instruction)


def in_order(question: Question, order: Order) -> list[str]:
    return [question.options[place] for place in order]


def cost(questions: Sequence[Question], params: BbqParams, examples: Sequence[WorkedExample]) -> tuple[int, int]:
    """Return what a remote endpoint gets: the number of requests, and an estimate of the tokens that it reads."""
    before = len(params.system) + sum(map(len, chain.from_iterable(examples)))
    rows = [(one, order) for one in questions_to_ask(questions, params) for order in orders(params, lists_options=True)]
    lengths = (before + len(remote(one, params, in_order(one, order))) for one, order in rows)
    return params.samples * len(rows), params.samples * tokens_of(lengths)
