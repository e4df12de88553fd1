"""Measures of a SODAPOP run from its tallies, over all contexts and for each one.

The unit of generalisation is the name: intervals and tests draw or split names, never questions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.banks.contexts import Context
from plumbline.spec.content import Name
from plumbline.spec.measure import Measure, join_variants
from workers.measures.judging import judged, smallest_effect
from workers.probes.protocol import Read
from workers.probes.sodapop.summary_clusters import CHANCE, CLUSTERS, clusters, projection
from workers.probes.sodapop.summary_confounds import confounds, with_warnings
from workers.probes.sodapop.summary_pairs import STRICT, Settings, compared
from workers.probes.sodapop.summary_words import Table, table_of


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
    """Return all measures of a run with answers.

    `subwords` is the number of subwords of each name in the model under audit (None: not known). `apart` has the
    category of words, in lower case, that are shown separately and tested in their own family. `threads` compute the
    permutations (None: all cores); the result does not depend on their number.
    """
    settings = Settings(
        spec.params,
        spec.seed,
        apart or {},
        partial(smallest_effect, spec),
        threads,
        knows_partners=not spec.in_text(),
    )
    whole = table_of(read("tally", group_by=("name", "group", "word")), names, spec.params)
    found = [*_of_all(whole, subwords, settings)]
    if len(contexts) > 1:
        for context in contexts:
            alone = table_of(read("tally", context=[context.id]), names, spec.params, context.id)
            found += [alone.vocabulary, *compared(alone, settings)]
    told = with_warnings(with_verdicts(spec, found), spec.alpha)
    return [replace(one, variant=join_variants(spec.variant, one.variant)) for one in told]


def _of_all(table: Table, subwords: dict[str, int] | None, settings: Settings) -> Iterable[Measure]:
    yield table.vocabulary
    yield from compared(table, settings)
    yield from confounds(table, subwords, settings)
    yield from clusters(table, settings)
    yield from projection(table, settings)


def with_verdicts(spec: SodapopSpec, measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures with verdicts over the spec's families.

    Single contexts, separate words, conditions and variants form families of their own. The strict p repeats the
    primary test and may be 0, so it has no q. The accuracy of clusters is compared with the average of random labels
    for these clusters, never with a half.
    """
    apart = ("statistic", *spec.families, "condition", "category", "variant")
    chance = {_pair(one): one.value for one in measures if one.statistic == CLUSTERS and one.condition == CHANCE}

    def family(one: Measure) -> str | None:
        labels = (*(getattr(one, column) for column in apart), "alone" if one.template else "")
        return None if one.variant == STRICT or _is_spread(one) else "\x1f".join(labels)

    def null(one: Measure) -> float | None:
        return chance.get(_pair(one)) if one.statistic == CLUSTERS else None

    return judged(spec, measures, family, null)


def _is_spread(one: Measure) -> bool:
    """Return whether it only reports the range of an accuracy or what chance gives."""
    return one.statistic == CLUSTERS and bool(one.condition)


def _pair(one: Measure) -> tuple[str, str]:
    return one.group_a, one.group_b
