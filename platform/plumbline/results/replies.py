"""Whole answers in text: kept as they arrive, each text once, and deleted after a time of their own."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from sqlalchemy import ARRAY, BigInteger, Select, Text, delete, exists, func, literal, select
from sqlalchemy.dialects.postgresql import insert

from plumbline.results import statements
from plumbline.results.tables import reply, reply_text
from plumbline.spec.answers.reply import KeptReply, Reply, storable

TEXTS = ("text", "reasoning", "refusal")
FACTS = ("finish_reason", "served_model", "fingerprint", "left_out")
LOCK = 0x5245504C59
"""The advisory lock that replies share while they are stored, and that a deletion has alone."""
SAMPLED = 1000
"""The replies of a run whose refused parameters stand for all."""
NUMBERS = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "seconds")


def known(run: int, requests: Iterable[str]) -> dict[str, KeptReply]:
    """Return a run's replies to these requests, as far as they are kept."""
    wanted = literal(sorted(set(requests)), ARRAY(Text))
    query = _replies(reply.c.request).where(reply.c.run == run, reply.c.request == func.any(wanted))
    return {request: _kept(row) for request, *row in statements.rows(query)}


def numbered(numbers: Iterable[int]) -> dict[int, Reply]:
    """Return the replies with these numbers, as far as they are kept."""
    wanted = literal(sorted(set(numbers)), ARRAY(BigInteger))
    query = _replies(reply.c.id).where(reply.c.id == func.any(wanted))
    return {number: _kept(row).reply for number, *row in statements.rows(query)}


@transaction.atomic
def keep(run: int, request: str, received: Reply) -> KeptReply:
    """Store a reply, or return the stored one if another worker was faster."""
    statements.rows(select(func.pg_advisory_xact_lock_shared(LOCK)))
    texts = {name: storable(getattr(received, name)) for name in TEXTS}
    ids = _text_ids([text for name, text in texts.items() if text or name == "text"])
    values: dict[str, Any] = {name: ids.get(text) for name, text in texts.items()}
    values |= {name: storable(getattr(received, name)) for name in FACTS}
    values |= {name: getattr(received, name) for name in NUMBERS}
    statements.run(insert(reply).values(run=run, request=request, **values).on_conflict_do_nothing())
    return known(run, [request])[request]


def count(run: int) -> int:
    """Return the number of replies that a run keeps."""
    ((found,),) = statements.rows(select(func.count()).select_from(reply).where(reply.c.run == run))
    return int(found)


def refused(run: int) -> set[str]:
    """Return the parameters without which answers of a run came, because the endpoint refused them.

    Nearly all replies have the same ones, so that some are enough, in the order of the digests of their requests.
    """
    some = select(reply.c.left_out).where(reply.c.run == run).order_by(reply.c.request).limit(SAMPLED)
    rows = statements.rows(select(some.subquery().c.left_out).distinct())
    return {name for (names,) in rows for name in names.split(", ") if name}


def forget(run: int) -> None:
    """Delete a run's replies, and the texts that no other run needs."""
    _delete(reply.c.run == run)


def forget_before(moment: datetime) -> int:
    """Delete all replies that arrived before a moment. Returns their number. Parsed answers stay."""
    return _delete(reply.c.received_at < moment)


@transaction.atomic
def _delete(condition: Any) -> int:
    # Nobody stores a reply with a text that is being deleted.
    statements.rows(select(func.pg_advisory_xact_lock(LOCK)))
    gone = statements.rows(delete(reply).where(condition).returning(*(reply.c[name] for name in TEXTS)))
    used = sorted({number for row in gone for number in row if number is not None})
    if used:
        listed = reply_text.c.id == func.any(literal(used, ARRAY(BigInteger)))
        unused = (~exists().where(reply.c[name] == reply_text.c.id) for name in TEXTS)
        statements.run(delete(reply_text).where(listed, *unused))
    return len(gone)


def _text_ids(texts: Sequence[str]) -> Mapping[str, int]:
    """Return the id of each text and insert new ones, in sorted order, so that two writers cannot deadlock."""
    wanted = {_digest(text): text for text in texts}
    rows = [{"digest": digest, "text": text} for digest, text in sorted(wanted.items())]
    statements.run(insert(reply_text).values(rows).on_conflict_do_nothing())
    stored = select(reply_text.c.digest, reply_text.c.id).where(reply_text.c.digest.in_(wanted))
    return {wanted[digest]: number for digest, number in statements.rows(stored)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _replies(key: Any) -> Select[Any]:
    """Return the query of the key, the number, and the fields of replies in the order of `_kept`."""
    joined: Any = reply
    columns = []
    for name in TEXTS:
        of = reply_text.alias(f"of_{name}")
        joined = joined.outerjoin(of, of.c.id == reply.c[name])
        columns.append(func.coalesce(of.c.text, ""))
    own = [reply.c[name] for name in (*FACTS, *NUMBERS)]
    return select(key, reply.c.id, *columns, *own).select_from(joined)


def _kept(row: Any) -> KeptReply:
    number, *fields = row
    return KeptReply(Reply(**dict(zip((*TEXTS, *FACTS, *NUMBERS), fields, strict=True))), number)
