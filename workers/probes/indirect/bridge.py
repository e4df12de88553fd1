"""The bridge: the names that have a score with every target, and both sides' scores with them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.methods.indirect.spec import IndirectMaterials
from workers.probes.indirect.scores_of_records import Scores, Singles, feature_scores, target_scores
from workers.probes.protocol import Read
from workers.statistics.units import Floats

NO_SCORE = "no score with some name"


@dataclass(frozen=True)
class Bridge:
    """The scores over the names that both sides have."""

    members: tuple[str, ...]
    groups: tuple[str, ...]  # [names]
    """The group of each name; empty if a curator gave none."""
    targets: Floats  # [names, targets]
    features: Floats  # [names, features], those of all sets
    log_priors: Floats  # [names]
    """The log prior of the name in the first side's templates with a mask in the target's place, as a mean over
    targets; 0 for a causal model, which predicts no names."""
    name_tokens: Floats  # [names]
    target_singles: Singles  # [templates, names, targets]
    feature_singles: tuple[Singles, ...]
    """The scores of each set of features, [templates, names, features of the set]."""
    reasons: tuple[str, ...]
    """Why a feature lacks a score with some name; empty if it has all."""

    @property
    def names(self) -> int:
        return len(self.members)

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Whether a feature has a score with each name, [features]."""
        return np.array([not reason for reason in self.reasons])


def bridge_of(materials: IndirectMaterials, read: Read, average: str) -> Bridge:
    """Return the bridge without names that lack a score with some target, or with all features."""
    first = target_scores(read, materials, average)
    others = [feature_scores(read, own, materials, average) for own in materials.sets]
    features = np.concatenate([one.mean for one in others], axis=1)
    kept = ~np.isnan(first.mean).any(axis=1) & ~np.isnan(features).all(axis=1)
    tokens = [first.name_tokens.get(one.name, 0) for one in materials.names]
    names = [one for one, there in zip(materials.names, kept, strict=True) if there]
    return Bridge(
        members=tuple(one.name for one in names),
        groups=tuple(one.group for one in names),
        targets=first.mean[kept],
        features=features[kept],
        log_priors=np.zeros(kept.sum()) if materials.causal else first.prior[kept].mean(axis=1),
        name_tokens=np.array(tokens, dtype=np.float64)[kept],
        target_singles=first.of_templates[:, kept],
        feature_singles=tuple(one.of_templates[:, kept] for one in others),
        reasons=_reasons(materials, others, np.isnan(features[kept]).any(axis=0) | (not kept.any())),
    )


def _reasons(materials: IndirectMaterials, found: list[Scores], missing: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    told = [one.reasons.get(word.text) for own, one in zip(materials.sets, found, strict=True) for word in own.features]
    why = [f"{NO_SCORE}: {reason}" if reason else NO_SCORE for reason in told]
    return tuple(reason if absent else "" for reason, absent in zip(why, missing, strict=True))
