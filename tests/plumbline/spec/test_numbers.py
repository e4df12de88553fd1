"""How numbers are written."""

import pytest

from plumbline.spec.measure import FAMILY_AND_KIND, Measure
from plumbline.spec.numbers import (
    count,
    counted,
    limits,
    number,
    probability,
    proportion,
    sample,
    value_of,
    with_interval,
    with_uncertainty,
)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.4249, "+0.42"),
        (-1.5, "-1.50"),
        (0.0123, "+0.012"),
        (-0.00001234, "-0.000012"),
        (0.0000047, "+0.0000047"),
        (0.00996, "+0.010"),
        (0.0949, "+0.095"),
        (0.07, "+0.070"),
        (0.0, "0"),
        (-0.0, "0"),
        (1.4e-17, "0"),
        (None, "-"),
    ],
)
def test_a_number_has_its_sign_and_two_figures(value: float | None, written: str) -> None:
    assert number(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1.0, "1.00"),
        (0.0034, "0.0034"),
        (0.03, "0.03"),
        (0.000012, "0.000012"),
        (1.5e-59, "<0.000001"),
        (0.0, "0"),
        (None, "-"),
    ],
)
def test_a_probability_that_is_undefined_is_no_zero(value: float | None, written: str) -> None:
    assert probability(value) == written


def test_a_count_is_written_in_thousands() -> None:
    assert [count(of) for of in (0, 999, 1881, 1_000_000, None)] == ["0", "999", "1,881", "1,000,000", "-"]
    assert (
        with_uncertainty(Measure("bias", "template", 1881, 12, 0.0)) == "0 (no interval)  n = 1,881 items, 12 templates"
    )


def test_a_measure_is_written_with_its_interval_n_and_q() -> None:
    measure = Measure("bias", "template", 96, 12, 0.42, 0.31, 0.53, q_value=0.003)
    assert with_interval(measure) == "+0.42 [+0.31, +0.53]"
    assert (limits(measure), limits(Measure("bias", "template", 0, 0, None))) == ("[+0.31, +0.53]", "-")
    assert with_uncertainty(measure) == "+0.42 [+0.31, +0.53]  n = 96 items, 12 templates  q = 0.003"
    assert with_uncertainty(Measure("bias", "template", 0, 0, None)) == "-  n = 0 templates"


def test_a_probability_just_below_a_level_does_not_look_as_if_it_reached_it() -> None:
    assert [probability(value) for value in (0.0496, 0.05, 0.0504, 0.0098, 0.00998)] == [
        "<0.05",
        "0.05",
        "0.05",
        "0.0098",
        "<0.01",
    ]


def test_a_proportion_that_nobody_tests_is_rounded_to_the_nearest() -> None:
    """A reliability of 0.0496 is not below a level of significance."""
    assert [proportion(value) for value in (0.0496, 0.00998, 0.0034, 0.0, None)] == ["0.05", "0.01", "0.0034", "0", "-"]


@pytest.mark.parametrize(
    ("statistic", "written"),
    [
        ("crows_share", "0.69 [0.53, 0.82]"),
        ("attribute_preference", "0.69 [0.53, 0.82]"),
        ("accuracy", "0.69 [0.53, 0.82]"),
        ("measure_change", "+0.69 [+0.53, +0.82]"),
        ("paired_preference", "+0.69 [+0.53, +0.82]"),
        ("gest_log_g_s", "+0.69 [+0.53, +0.82]"),
    ],
)
def test_a_share_has_no_sign_since_it_is_no_difference(statistic: str, written: str) -> None:
    measure = Measure(statistic, "pair", n=36, n_units=36, value=0.69, ci_low=0.53, ci_high=0.82)
    assert with_interval(measure) == written
    assert value_of(measure) == written.partition(" ")[0]


def test_the_size_of_a_sample_names_its_unit_once() -> None:
    assert sample(Measure("bias", "kind of sentence", 22, 12, 0.0)) == "n = 22 items, 12 kinds of sentence"
    assert sample(Measure("bias", "passage", 454, 454, 0.0)) == "n = 454 passages"
    assert sample(Measure("bias", "name", 1, 1, 0.0)) == "n = 1 name"
    assert sample(Measure("bias", "", 12, 12, 0.0)) == "n = 12 items"


@pytest.mark.parametrize(
    ("number", "unit", "told"),
    [
        (1, "group of names", "1 group of names"),
        (20, "group of names", "20 groups of names"),
        (3, "pair of templates", "3 pairs of templates"),
        (1_000, "name", "1,000 names"),
        (12, FAMILY_AND_KIND, "at least 12 word families and 12 kinds of sentence"),
        (1, FAMILY_AND_KIND, "at least 1 word family and 1 kind of sentence"),
    ],
)
def test_a_count_stands_with_the_plural_of_its_unit(number: int, unit: str, told: str) -> None:
    assert counted(number, unit) == told
