"""The answers in text behind records: the class of each, and the whole answer as far as it is kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import ARRAY, BigInteger, func, literal, select

from plumbline.results import replies, statements
from plumbline.results.tables import parsed_answer, term
from plumbline.spec.answers.reply import Reply


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """The class of an answer by a parser, and the answer; None if it is not kept any more."""

    answer_class: str
    parser: str
    reply: Reply | None


def whole_answers(run: int, ids: Iterable[int]) -> Mapping[int, WholeAnswer]:
    """Return the answers behind these records of a run, by the id of the record. Other records have none."""
    wanted = literal(sorted(set(ids)), ARRAY(BigInteger))
    kind, parser = term.alias("kind"), term.alias("parser")
    query = (
        select(parsed_answer.c.id, kind.c.text, parser.c.text, parsed_answer.c.reply)
        .join(kind, kind.c.id == parsed_answer.c.answer_class)
        .join(parser, parser.c.id == parsed_answer.c.parser)
        .where(parsed_answer.c.run == run, parsed_answer.c.id == func.any(wanted))
    )
    found = statements.rows(query)
    kept = replies.numbered(number for *_, number in found if number is not None) if found else {}
    return {id_: WholeAnswer(of, by, kept.get(number)) for id_, of, by, number in found}
