"""A sample of a run's answers in text: the same one for everybody, and as many of a rare class as of a frequent one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, Text, cast, func, select

from plumbline.results import replies, statements
from plumbline.results.tables import parsed_answer, term
from plumbline.spec.answers.reply import Reply

LARGEST = 200
"""The most answers of each class in a sample. Others are not judged: whoever chose them could choose the agreement."""


@dataclass(frozen=True, slots=True)
class SampledAnswer:
    """An answer as its parser understood it. `reply` is None if the text is not kept any more."""

    record: int
    item: str
    options: tuple[str, ...]
    answer_class: str
    chosen: int | None
    parser: str
    number: int | None
    reply: Reply | None

    @property
    def parsed(self) -> tuple[str, int | None]:
        return self.answer_class, self.chosen


_item, _options, _kind, _parser = (term.alias(name) for name in ("item", "options", "kind", "parser"))
# Records have consecutive ids in the order of the questions. Their digests are in no order.
_RANDOM = func.md5(cast(parsed_answer.c.id, Text))


def sample(run: int, each: int) -> list[SampledAnswer]:
    """Return up to `each` answers of each class, in an order that does not tell the class."""
    return _read(_sampled(run, each).order_by(_RANDOM))


def answer(run: int, record: int) -> SampledAnswer | None:
    """Return one answer of the run's largest sample, or None if it has no such record."""
    return next(iter(_read(_sampled(run, LARGEST).where(parsed_answer.c.id == record))), None)


def _sampled(run: int, each: int) -> Select[Any]:
    place = func.row_number().over(partition_by=parsed_answer.c.answer_class, order_by=_RANDOM).label("place")
    ranked = select(parsed_answer.c.id, place).where(parsed_answer.c.run == run).subquery()
    return _answers(run).where(parsed_answer.c.id.in_(select(ranked.c.id).where(ranked.c.place <= each)))


def _answers(run: int) -> Select[Any]:
    columns = (parsed_answer.c.id, _item.c.text, _options.c.text, _kind.c.text, parsed_answer.c.chosen, _parser.c.text)
    return (
        select(*columns, parsed_answer.c.reply)
        .join(_item, _item.c.id == parsed_answer.c.item)
        .join(_options, _options.c.id == parsed_answer.c.options)
        .join(_kind, _kind.c.id == parsed_answer.c.answer_class)
        .join(_parser, _parser.c.id == parsed_answer.c.parser)
        .where(parsed_answer.c.run == run)
    )


def _read(query: Select[Any]) -> list[SampledAnswer]:
    rows: Sequence[tuple[Any, ...]] = statements.rows(query)
    kept = replies.numbered(number for *_, number in rows if number is not None) if rows else {}
    return [
        SampledAnswer(record, item, tuple(json.loads(options)), kind, chosen, parser, number, kept.get(number))
        for record, item, options, kind, chosen, parser, number in rows
    ]
