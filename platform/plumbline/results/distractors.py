"""The distractors that a run generated: their number, and a random sample that reads only the drawn rows."""

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from sqlalchemy import ARRAY, BigInteger, ColumnElement, column, func, literal, select

from plumbline.results import statements
from plumbline.results.ids import ROWS, SHARDS, first_id
from plumbline.results.tables import record_table
from plumbline.results.terms import texts_of


@dataclass(frozen=True, slots=True)
class Distractor:
    """A wrong answer that was generated from the right answer to a context, for one name."""

    context: str
    name: str
    group: str
    text: str
    distance: int


def count(run: int) -> int:
    """Return the number of distractors of a run, by one index look-up per shard."""
    return sum(_by_shard(run))


def sample(run: int, wanted: int, seed: int) -> list[Distractor]:
    """Return a random sample without replacement, in order of id, or all distractors if there are fewer.

    The same seed and run give the same sample. Rows are numbered without gaps within a shard, so a position determines
    an id, and only the drawn rows are read.
    """
    counts = _by_shard(run)
    total = sum(counts)
    places = random.Random(seed).sample(range(total), min(wanted, total))  # noqa: S311 -- a draw, no secret
    return _read(run, [_id_at(run, counts, place) for place in sorted(places)])


def _id_at(run: int, counts: Sequence[int], place: int) -> int:
    ends = list(accumulate(counts))
    shard = bisect_right(ends, place)
    return first_id(run, shard) + place - (ends[shard] - counts[shard])


def _by_shard(run: int) -> list[int]:
    """Return the number of rows of each shard, from shard 0 to the last shard with rows."""
    records = record_table("distractor")
    first, end = first_id(run, 0), first_id(run, SHARDS - 1) + ROWS
    own = (records.c.run == run, records.c.id >= first, records.c.id < end)
    ((last,),) = statements.rows(select(func.max(records.c.id)).where(*own))
    if last is None:
        return []
    every = func.generate_series(0, (last - first) // ROWS)
    numbers = every.table_valued(column("shard", BigInteger), name="shards").render_derived()
    start: ColumnElement[int] = literal(first, BigInteger) + numbers.c.shard * literal(ROWS, BigInteger)
    of_shard = select(func.max(records.c.id) - start + 1).where(
        records.c.run == run, records.c.id >= start, records.c.id < start + literal(ROWS, BigInteger)
    )
    query = select(numbers.c.shard, of_shard.scalar_subquery()).order_by(numbers.c.shard)
    return [int(rows or 0) for _, rows in statements.rows(query)]


def _read(run: int, ids: Sequence[int]) -> list[Distractor]:
    records = record_table("distractor")
    labels = ("context", "name", "group")
    query = select(*(records.c[name] for name in (*labels, "text", "distance")))
    wanted = records.c.id == func.any(literal(list(ids), ARRAY(BigInteger)))
    found = statements.rows(query.where(records.c.run == run, wanted).order_by(records.c.id))
    known = texts_of(number for row in found for number in row[: len(labels)])
    return [
        Distractor(known[context], known[name], known[group], text, distance)
        for context, name, group, text, distance in found
    ]
