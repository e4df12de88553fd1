"""Measures of a SODAPOP run from its tallies: all contexts together, and each alone.

The unit of generalisation is the name: intervals and tests draw or split names, never questions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from plumbline.spec.content import Name
from plumbline.spec.measure import Measure
from plumbline.spec.sodapop import Context, SodapopSpec
from workers.probes.estimated import defined
from workers.probes.protocol import Read
from workers.probes.sodapop.summary_clusters import clusters, projection
from workers.probes.sodapop.summary_confounds import confounds, with_warnings
from workers.probes.sodapop.summary_pairs import STRICT, Settings, compared
from workers.probes.sodapop.summary_words import Table, table_of
from workers.statistics import q_values


def summarise(
    spec: SodapopSpec,
    names: Sequence[Name],
    contexts: Sequence[Context],
    read: Read,
    *,
    subwords: dict[str, int] | None = None,
    apart: Mapping[str, str] | None = None,
    threads: int | None = None,
) -> list[Measure]:
    """All measures of a run that asked.

    `subwords` says into how many subwords the model under audit splits each name (None: not known); `apart` has the
    category of words, in lower case, that are shown apart and tested in a family of their own; `threads` compute the
    permutations (None: all cores), whatever their number with the same result.
    """
    settings = Settings(spec.params, spec.seed, apart or {}, threads)
    whole = table_of(read("tally", group_by=("name", "group", "word")), names, spec.params)
    found = [*_of_all(whole, subwords, settings)]
    if len(contexts) > 1:
        for context in contexts:
            alone = table_of(read("tally", context=[context.id]), names, spec.params, context.id)
            found += [alone.vocabulary, *compared(alone, settings)]
    told = with_warnings(with_q(found, spec.families), spec.params.level)
    return [replace(one, variant=", ".join(filter(None, (spec.variant, one.variant)))) for one in told]


def _of_all(table: Table, subwords: dict[str, int] | None, settings: Settings) -> Iterable[Measure]:
    yield table.vocabulary
    yield from compared(table, settings)
    yield from confounds(table, subwords, settings)
    yield from clusters(table, settings)
    yield from projection(table, settings)


def with_q(measures: Sequence[Measure], columns: Sequence[str]) -> list[Measure]:
    """q over the spec's families; contexts alone, words apart, conditions and variants are families apart.

    The strict p tests the same thing as the primary one once more, and may be 0: it has no q.
    """
    p = np.array([np.nan if one.p_value is None or one.variant == STRICT else one.p_value for one in measures])
    apart = ("statistic", *columns, "condition", "category", "variant")
    labels = [
        "\x1f".join([*(getattr(one, column) for column in apart), "alone" if one.template else ""]) for one in measures
    ]
    q = q_values(p, np.array(labels))
    return [replace(one, q_value=defined(value)) for one, value in zip(measures, q, strict=True)]
