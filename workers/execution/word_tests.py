"""Tests of whether the words of a list differ by group in frequency or number of subwords, on request."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from django.db import transaction

from plumbline.audits import questions
from plumbline.audits.models import WordTest
from plumbline.audits.word_materials import Spelled, WordMaterial, word_material
from plumbline.spec.errors import InputError
from workers.execution.heartbeat import Hold
from workers.execution.worker import Worker
from workers.statistics.families import q_values
from workers.statistics.tokenization_bias import Correlation, Difference, compare, correlate, mean_interval

Tested = Difference | Correlation | None


def answer_word_tests(_worker: Worker, hold: Hold) -> None:
    """Compute the tests outside of any transaction, then answer in a short one.

    Raises InputError if the list has changed since the request.
    """
    began = time.monotonic()
    asked = hold.lease.row
    assert isinstance(asked, WordTest)  # noqa: S101 -- for the type checker
    material = word_material(asked.kind, asked.slug)
    if material.key != asked.key:
        raise InputError("the list or its spellings changed since somebody asked: ask again")
    found = word_tests(material)
    hold.check()
    with transaction.atomic():
        questions.answer(hold.lease, time.monotonic() - began, found=found)


def word_tests(material: WordMaterial) -> dict[str, Any]:
    """Return the tests of frequencies and of each tokenizer by digest; None for what cannot be tested."""
    differences = _judged(
        {"": _by_frequency(material)} | {key: _by_pieces(own, material) for key, own in _of(material)}
    )
    related = _judged({key: _related(own, material.frequency_of) for key, own in _of(material)})
    return {
        "frequency": differences[""],
        "tokenizers": {
            key: {"intervals": _intervals(own, material), "difference": differences[key], "related": related[key]}
            for key, own in _of(material)
        },
    }


def _of(material: WordMaterial) -> list[tuple[str, Spelled]]:
    return sorted(material.spelled.items())


def _by_frequency(material: WordMaterial) -> Difference | None:
    figures: dict[str, list[float]] = {}
    for word, frequency in material.frequency_of.items():
        figures.setdefault(material.part_of[word], []).append(frequency)
    return compare(figures, WordTest.FEWEST_WORDS)


def _by_pieces(spelled: Spelled, material: WordMaterial) -> Difference | None:
    return compare(spelled.by_part(material.part_of, 0), WordTest.FEWEST_WORDS)


def _related(spelled: Spelled, frequency_of: Mapping[str, float]) -> Correlation | None:
    """Return the correlation of frequency with the number of subwords, over the words that have both."""
    both = [word for word, pieces in spelled.items() if not pieces.fault and word in frequency_of]
    return correlate(
        [frequency_of[word] for word in both], [spelled[word].subwords for word in both], WordTest.FEWEST_PAIRS
    )


def _intervals(spelled: Spelled, material: WordMaterial) -> dict[str, tuple[float, float] | None]:
    return {part: mean_interval(own) for part, own in sorted(spelled.by_part(material.part_of, 0).items())}


def _judged(tests: Mapping[str, Tested]) -> dict[str, dict[str, Any] | None]:
    """Return each test with its q-value over all tests, and whether it is present."""
    p = np.array([test.p_value if test else np.nan for test in tests.values()])
    q = q_values(p, np.zeros(p.size))
    return {
        key: {**asdict(test), "q_value": float(own), "present": bool(own < WordTest.ALPHA)} if test else None
        for (key, test), own in zip(tests.items(), q, strict=True)
    }
