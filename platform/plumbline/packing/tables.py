"""A run's records and measures as Parquet files of a pack, written frame by frame."""

from collections.abc import Iterator
from itertools import chain

import polars as pl
import pyarrow.parquet as pq
from django.db import connection
from sqlalchemy import literal, select

from plumbline.evidence.left_out import replaced
from plumbline.evidence.manifest import MEASURES, RECORDS
from plumbline.evidence.writing import Archive
from plumbline.results.reading import frames
from plumbline.results.statements import compiled
from plumbline.results.tables import RECORD_TABLES
from plumbline.spec.card import Card

RIGHT_ANSWER = -1
"""The place of a right answer, which is a text of a bank, among SODAPOP's options."""

Frames = Iterator[pl.DataFrame]


def written_tables(archive: Archive, run: int, card: Card, *, texts: bool) -> Iterator[None]:
    """Write every table of records that the method has or the run fills, then the measures. Yields after each part."""
    for name in RECORD_TABLES:
        if name in card.tables or _has_rows(run, name):
            parts = frames(run, name)
            yield from _written(archive, f"{RECORDS}{name}.parquet", parts if texts else map(_without_texts, parts))
    measures = chain(frames(run, "measure"), frames(run, "measure_other_prior"))
    yield from _written(archive, MEASURES, (frame.drop("run") for frame in measures))


def _has_rows(run: int, name: str) -> bool:
    records = RECORD_TABLES[name]
    with connection.cursor() as cursor:
        cursor.execute(*compiled(select(literal(1)).select_from(records).where(records.c.run == run).limit(1)))
        return cursor.fetchone() is not None


def _without_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Replace the right answers of a bank. What a model wrote from them stays."""
    if "place" not in frame.columns:
        return frame
    right = pl.col("text").map_elements(replaced, return_dtype=pl.String)
    return frame.with_columns(pl.when(pl.col("place") == RIGHT_ANSWER).then(right).otherwise("text").alias("text"))


def _written(archive: Archive, name: str, parts: Frames) -> Iterator[None]:
    first, rows = next(parts), 0
    schema = first.to_arrow(compat_level=pl.CompatLevel.oldest()).schema
    with archive.file(name) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for frame in chain([first], parts):
            writer.write_table(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
            rows += frame.height
            yield
    archive.files[name] = archive.files[name].model_copy(update={"rows": rows})
