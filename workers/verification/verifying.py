"""The verification of a pack: its bytes, its signature, its words, and every measure."""

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from plumbline.evidence.manifest import MEASURES, RUN
from plumbline.evidence.reading import Opened, opened
from plumbline.evidence.signature import fingerprint, public_key, signer
from plumbline.evidence.versions import versions
from plumbline.spec.card import OF_TWO_RUNS
from plumbline.spec.errors import InputError
from workers.verification.differences import differences
from workers.verification.recomputing import recomputed, words_of
from workers.verification.records import load

UNSIGNED = "The pack is not signed. Damage can be detected, forgery cannot: whoever changes it can write new digests."
ANY_SIGNER = (
    "The pack is signed by the key {key}. Without --key it is not known whose key this is: get the signer's public key"
    " in another way, and give it."
)
TEXTS_NEEDED = "the pack leaves out the texts, from which they follow. Ask the sender for a pack made with --texts"
_OF_TWO_RUNS = [one.name for one in OF_TWO_RUNS]


@dataclass
class Outcome:
    """The result: lines about the pack, each difference, and what was not computed again."""

    about: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    not_recomputed: list[str] = field(default_factory=list)
    recomputed: int = 0
    failed: bool = False
    """The measures could not be computed at all."""

    @property
    def holds(self) -> bool:
        return not self.differences and not self.failed


def verify(path: Path, key: Path | None = None) -> Outcome:
    """Verify a pack. Raises InputError for a file that is no pack, or a key that is none."""
    expected = public_key(key) if key else None
    with opened(path) as pack:
        outcome = Outcome(differences=list(pack.damage))
        of = pack.manifest
        outcome.about.append(f"Run {of.run}, packed at {of.made_at}; {len(of.files)} files.")
        outcome.about += [f"Left out: {sentence}" for sentence in of.left_out]
        _check_signature(pack, fingerprint(expected) if expected else None, outcome)
        if not pack.damage:
            _check_measures(pack, outcome)
    return outcome


def _check_signature(pack: Opened, expected: str | None, outcome: Outcome) -> None:
    if pack.signature is None:
        outcome.about.append(UNSIGNED)
        if expected:
            outcome.differences.append("the pack is not signed, and --key asks for a signature")
        return
    key = signer(pack.manifest_text, pack.signature)
    if key is None:
        outcome.differences.append("the signature is not one of this manifest")
    elif expected is None:
        outcome.about.append(ANY_SIGNER.format(key=fingerprint(key)))
    elif fingerprint(key) != expected:
        outcome.differences.append(f"the pack is signed by another key than the given one: {fingerprint(key)}")
    else:
        outcome.about.append(f"The pack is signed by the given key {expected}.")


def _check_measures(pack: Opened, outcome: Outcome) -> None:
    if missing := [name for name in (RUN, MEASURES) if name not in pack.manifest.files]:
        raise InputError(f"the pack has no {missing[0]}. Ask the sender for a whole one.")
    stored = load(pack.files[MEASURES], "measure")
    compared = stored.filter(pl.col("statistic").is_in(_OF_TWO_RUNS))
    if compared.height:
        outcome.not_recomputed.append(
            f"{_count(compared.height)} of comparisons with other runs, whose records are not in this pack"
        )
    own = stored.filter(~pl.col("statistic").is_in(_OF_TWO_RUNS))
    try:
        words = words_of(pack)
        outcome.differences += [f"snapshot {name[:12]}...: its content has another digest" for name in words.wrong]
        if words.spec.summary_reads_texts and pack.manifest.texts == "replaced":
            raise InputError(TEXTS_NEEDED)
        found = recomputed(pack, words)
    except InputError as error:
        outcome.failed = True
        outcome.not_recomputed.append(f"{_count(own.height)}: {error}")
        return
    outcome.recomputed = found.height
    _add(outcome, own, found, _other_versions(pack))


def _add(outcome: Outcome, own: pl.DataFrame, found: pl.DataFrame, others: str) -> None:
    wrong = [sentence for _, sentence in differences(own, found)]
    outcome.differences += wrong
    if others:
        what = "may explain the differences, above all of permutation tests" if wrong else "change none of the figures"
        outcome.about.append(f"Other versions than the pack's {what}: {others}.")
    elif wrong:
        outcome.about.append("The versions are the pack's, so they do not explain the differences.")


def _other_versions(pack: Opened) -> str:
    here, there = versions(), pack.manifest.versions
    return ", ".join(
        f"{name} {there.get(name, 'unknown')} there, {here.get(name, 'unknown')} here"
        for name in sorted(here.keys() | there.keys())
        if here.get(name) != there.get(name)
    )


def _count(measures: int) -> str:
    return "1 measure" if measures == 1 else f"{measures:,} measures"
