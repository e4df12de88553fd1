"""The page on known biases: a run with scores of gender words, beside the thesis; and runs that lack something."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import PaddingComparison, Run
from plumbline.methods.indirect.card import AGREEMENT, CENTRED, DIRECT, SCORE
from tests.plumbline.methods.conftest import MARKED, MakeRun, See, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

FEMALE, MALE = ["girl", "woman"], ["boy", "man"]
TARGETS = ["nurse", "soldier", "waitress", MARKED]
SET: dict[str, Any] = {
    "attributes": {"inline": [{"text": word, "group": gender} for gender, words in
                              (("female", FEMALE), ("male", MALE)) for word in words]},
    "bridge_feature": ["{name} is {a feature}."],
    "target_feature": ["The {target} is {a feature}."],
}  # fmt: skip
GENDERED = SPEC | {
    "targets": {
        "inline": [{"text": one, "plural": f"{one}s", "group": "female" * (one == "waitress")} for one in TARGETS]
    },
    "sensitive": [SET],
}
VALUES = {"nurse": 0.4, "soldier": -0.5, "waitress": 0.6, MARKED: 0.1}
"""The indirect score with words of the female gender; with the others it is the negative."""


def scores() -> list[dict[str, Any]]:
    found = []
    for target, value in VALUES.items():
        for word in (*FEMALE, *MALE):
            where = {"group_a": target, "attribute": word, "category": "sensitive"}
            signed = value if word in FEMALE else -value
            found += [
                measured(SCORE, signed, **where, q_value=0.01, unit="name", n=40, n_units=40),
                measured(CENTRED, signed / 2, **where, q_value=0.2, unit="name", n=40, n_units=40),
                measured(DIRECT, 2 * signed, **where, n=1, n_units=1),
            ]
    return found


def agreed(value: float, **where: str) -> dict[str, Any]:
    return measured(AGREEMENT, value, unit="target", n=4, n_units=4, category="sensitive", **where)


AGREED = [
    agreed(0.9),
    agreed(0.8, group_b="female"),
    agreed(0.7, group_b="male"),
    *(agreed(0.6, attribute=word) for word in (*FEMALE, *MALE)),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(GENDERED, [*scores(), *AGREED])


def test_both_orders_are_next_to_each_other_and_what_their_upper_halves_share_is_counted(run: Run, see: See) -> None:
    text = see("run_known", run)
    said = "Of the 2 targets that the model links most with the female gender, 2 are the same by both scores;"
    assert f"{said} two unrelated orders of 4 would share 1." in text
    assert text.index("<b><bdi>waitress</bdi></b> +1.20") < text.index("<b><bdi>nurse</bdi></b> +0.80")
    assert "names female" in text
    assert "n = 40 names (indirect, Pearson's r), 1 template (direct, natural log)" in text


def test_the_thesis_is_next_to_occupations(run: Run, see: See) -> None:
    text = see("run_known", run)
    assert "Table 3.3 of the thesis for bert-base" in text
    assert "homemaker" in text
    assert "+0.45</td>" in text
    other = see("run_known", run, beside="xl-large")
    assert "Table 3.3 of the thesis for xl-large" in other
    assert "flight attendant" in other


def test_ranks_are_among_the_targets_that_name_no_gender(run: Run, see: See) -> None:
    text = see("run_known", run)
    assert "Ranks among the 3 targets that name no gender" in text
    ranks = text[text.index('id="ranks"') :]
    assert '<b>1</b> <span class="small faint">1–1</span></td><td class="number" data-label="male"><b>3</b>' in ranks
    assert "10, 76, -66" in ranks


def test_agreement_has_its_interval_and_q(run: Run, see: See) -> None:
    text = see("run_known", run)
    assert "the female gender, mean of its words" in text
    assert "[+0.30, +1.30]" in text
    assert "Over all pairs of a target and a gender word both scores correlate: r = +0.90 [+0.40, +1.40], n = 4" in text


def test_one_target_is_shown_word_by_word_the_one_that_parts_most_by_default(run: Run, see: See) -> None:
    assert "“<bdi>waitress</bdi>” and gender" in see("run_known", run)
    text = see("run_known", run, target="soldier")
    assert "“<bdi>soldier</bdi>” and gender" in text
    assert "n = 1 template<" in text


def test_beer_is_next_to_table_4_1(make_run: MakeRun, see: See) -> None:
    beer = [{**one, "group_a": "beer"} for one in scores() if one["group_a"] == "soldier"]
    spec = GENDERED | {"targets": {"inline": [{"text": "beer", "plural": "beers"}]}}
    text = see("run_known", make_run(spec, [*beer, *AGREED]))
    assert "with Table 4.1 of the thesis" in text
    assert "-0.49" in text
    assert "Table 3.3 of the thesis" not in text
    assert "by both scores;" not in text


def test_another_indirect_score_may_be_ranked(run: Run, see: See) -> None:
    text = see("run_known", run, score=CENTRED)
    assert "q = 0.20" in text
    assert CENTRED in see("run_known_csv", run, "top", score=CENTRED)


def test_words_are_escaped(run: Run, see: See) -> None:
    assert MARKED not in see("run_known", run)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("top", "rank_among_neutral"),
        ("agreement", "female"),
        ("lists", "targets"),
        ("ranks", "thesis_bert-base_indirect_female"),
        ("target", "waitress"),
        ("padding", "rows,0"),
    ],
)
def test_each_table_is_a_file(run: Run, see: See, table: str, told: str) -> None:
    text = see("run_known_csv", run, table)
    assert told in text
    assert "says what the model associates" in text


def test_a_table_that_there_is_not_is_not_found(run: Run, viewer: Client) -> None:
    assert viewer.get(reverse("run_known_csv", args=[run.pk, "nothing"])).status_code == 404


@pytest.fixture
def padded(make_run: MakeRun) -> Run:
    """A run with another text before each sentence."""
    spec = GENDERED | {"name": "padded", "params": {"padding": "It was a bright cold day."}}
    return make_run(spec, [{**one, "value": one["value"] + 0.01} for one in scores()])


COMPARED = {
    "features": "sensitive", "pair": [1, 2], "paired": False, "targets": 4, "words": 4, "by_p": [0.25, 0.0],
    "by_q": [0.0, 0.0], "largest": 0.01,
}  # fmt: skip


def test_a_worker_compares_padding_texts_and_the_page_shows_its_answer(
    run: Run, padded: Run, see: See, viewer: Client
) -> None:
    text = see("run_known", run)
    assert "no padding text" in text
    assert "It was a bright cold day." in text
    assert "Compare the texts" in text
    assert "rows,0" in see("run_known_csv", run, "padding")
    asked = viewer.post(reverse("run_known_ask", args=[run.pk]) + "?score=" + CENTRED)
    assert asked["Location"] == reverse("run_known", args=[run.pk]) + f"?score={CENTRED}#padding"
    waiting = see("run_known", padded)
    assert "A worker was asked to compare the texts" in waiting
    assert "no worker is alive" in waiting
    assert "Compare the texts" not in waiting
    PaddingComparison.objects.update(state="done", found=[COMPARED])
    for one in (run, padded):
        assert "1 and 2" in see("run_known", one)
    assert "unpaired" in see("run_known_csv", run, "padding")


def test_a_comparison_of_texts_that_failed_says_why_and_can_be_asked_again(
    run: Run, padded: Run, see: See, viewer: Client
) -> None:
    viewer.post(reverse("run_known_ask", args=[run.pk]))
    PaddingComparison.objects.update(state="done", error="no <memory>")
    text = see("run_known", run)
    assert "no &lt;memory&gt;" in text
    assert "Compare the texts" in text
    viewer.post(reverse("run_known_ask", args=[run.pk]))
    assert PaddingComparison.objects.count() == 2
    assert "A worker was asked" in see("run_known", run)


def test_a_run_without_another_text_has_nothing_to_ask_for(run: Run, viewer: Client) -> None:
    assert viewer.post(reverse("run_known_ask", args=[run.pk])).status_code == 404


def test_runs_of_other_targets_are_in_the_columns_unless_their_params_differ(
    run: Run, make_run: MakeRun, see: See
) -> None:
    beer = GENDERED | {"targets": {"inline": ["beer"]}}
    same = make_run(beer | {"params": {"average": "probability", "resamples": 200}}, AGREED)
    other = make_run(beer | {"params": {"average": "log"}}, AGREED)
    text = see("run_known", run)
    assert reverse("run_known", args=[same.pk]) in text
    assert reverse("run_known", args=[other.pk]) not in text


def test_words_that_were_added_to_a_run_are_no_runs_next_to_it(run: Run, make_run: MakeRun, see: See) -> None:
    added = make_run(GENDERED | {"targets": {"inline": ["beer"]}, "adds_to": {"run": run.pk}}, AGREED)
    assert reverse("run_known", args=[added.pk]) not in see("run_known", run)


def test_a_causal_model_is_marked_as_another_estimator(run: Run, make_run: MakeRun, see: See) -> None:
    causal = make_run(GENDERED | {"params": {"variant": "causal"}}, [*scores(), *AGREED])
    assert "uses our own estimator for causal models" not in see("run_known", run)
    assert "uses our own estimator for causal models" in see("run_known", causal)


def test_without_such_runs_the_page_says_how_to_get_them(run: Run, see: See) -> None:
    text = see("run_known", run)
    assert "params: {padding: …}" in text
    assert "five padding texts" in text


def test_the_page_is_among_the_tabs_of_such_a_run_alone(run: Run, make_run: MakeRun, see: See) -> None:
    address = reverse("run_known", args=[run.pk])
    assert address in see("run", run)
    plain = make_run(SPEC, [one for one in scores() if one["statistic"] == SCORE])
    assert reverse("run_known", args=[plain.pk]) not in see("run", plain)


def test_a_run_without_gender_words_says_what_its_plan_lacks(make_run: MakeRun, see: See) -> None:
    text = see("run_known", make_run(SPEC, []))
    assert "no list of features has words of both genders" in text
    assert reverse("plans") in text


def test_a_run_without_direct_sentences_says_so(make_run: MakeRun, see: See) -> None:
    spec = GENDERED | {"sensitive": [{key: value for key, value in SET.items() if key != "target_feature"}]}
    assert "no direct score of these words" in see("run_known", make_run(spec, []))


def test_a_run_whose_words_have_no_scores_says_so(make_run: MakeRun, see: See) -> None:
    assert "no target has both a direct and an indirect score" in see("run_known", make_run(GENDERED, []))


def test_runs_of_other_methods_have_no_such_page(make_run: MakeRun, viewer: Client) -> None:
    other = make_run(SPEC | {"probe": "ilps"}, [])
    assert viewer.get(reverse("run_known", args=[other.pk])).status_code == 404


def test_it_needs_the_permission_to_view(run: Run) -> None:
    nobody = Client()
    nobody.force_login(User.objects.create_user("nobody"))
    assert nobody.get(reverse("run_known", args=[run.pk])).status_code == 403
    assert nobody.get(reverse("run_known_csv", args=[run.pk, "top"])).status_code == 403


def test_the_page_asks_few_questions(run: Run, viewer: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(25):
        viewer.get(reverse("run_known", args=[run.pk]))
