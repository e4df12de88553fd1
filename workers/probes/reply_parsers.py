"""The parsers of answers in text, as the params of an audit choose them."""

from collections.abc import Sequence

from plumbline.spec.answers import parser
from plumbline.spec.answers.classes import AnswerClass, Parsed
from plumbline.spec.answers.params import AnswerParams
from plumbline.spec.answers.reply import Reply
from workers.probes.matching import matched

EXACT = "exact 1"
"""The name of the exact match (Parrish et al. 2022, note 4) in records of answers."""


def parser_of(params: AnswerParams) -> str:
    """Return the name of the parser and its version, as records have it."""
    return parser.VERSION if params.parser == "forms" else EXACT


def parsed(
    params: AnswerParams, reply: Reply, options: Sequence[str], unknown: int | None = None, question: str = ""
) -> Parsed:
    """Return what a reply answers. `unknown` and `question` are as of `parser.parse`."""
    if params.parser == "forms":
        return parser.parse(reply, options, unknown, question)
    place = matched(reply.text, options)
    return Parsed(AnswerClass.UNMATCHED) if place is None else Parsed.option(place)
