"""A run's figures as files for the Hub: read back by the Hub's own library, and nothing undefined as zero."""

from pathlib import Path

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from huggingface_hub import parse_eval_result_entries
from huggingface_hub.repocard_data import model_index_to_eval_results

from plumbline.audits.models import Run
from plumbline.packing.hub.eval_results import eval_results
from plumbline.packing.hub.model_card import model_card
from plumbline.spec.errors import InputError
from tests.plumbline.methods.conftest import MakeRun, make_run, measured, viewer

__all__ = ["make_run", "viewer"]
SPEC = {
    "name": "a | <b>bold</b>\n# audit",
    "probe": "ilps",
    "model": "path:./some_dir",
    "groups": {"inline": [{"label": "women"}, {"label": "men"}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": ["kind"]},
    "templates": {"inline": ["{group} are {attribute}"]},
}
BOTH = {"group_a": "women", "group_b": "men"}


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(
        SPEC,
        [
            measured("ilps_difference", 0.42, **BOTH, category="jobs", q_value=0.003),
            measured("ilps_difference", None, **BOTH, category="traits", reason="no <word> could be scored"),
            measured("ilps_difference", 9.9, **BOTH, attribute="kind", q_value=0.003),
            measured("ilps_difference", 8.8, **BOTH, category="jobs", variant="prior: none"),
            measured("scorable_share", 1.0, group_a="women"),
        ],
    )


def test_the_library_of_the_hub_reads_the_results_file(run: Run) -> None:
    text = eval_results(run, "org/bias-bench")
    difference, share = parse_eval_result_entries(yaml.safe_load(text))
    assert (difference.dataset_id, difference.task_id) == ("org/bias-bench", "ilps_difference.jobs.women.men")
    assert difference.value == 0.42
    assert "[-0.080, +0.92]" in str(difference.notes)
    assert "present" in str(difference.notes)
    assert (share.task_id, share.value) == ("scorable_share.women", 1.0)


def test_an_undefined_figure_is_a_comment_with_its_reason_and_never_a_value(run: Run) -> None:
    text = eval_results(run, "org/bias-bench")
    assert "# ilps_difference.traits.women.men: no <word> could be scored" in text
    assert "traits" not in yaml.safe_dump(yaml.safe_load(text))
    card = model_card(run)
    front, _, section = card.removeprefix("---\n").partition("---\n")
    assert "traits" not in front
    assert "### Not defined" in section
    assert "women minus men, traits: no \\<word\\> could be scored" in section


@pytest.mark.parametrize("dataset", ["", "bench", "org/bench/x", "org/b\nvalue: 1", "orgé/bench"])
def test_another_form_of_a_data_set_is_refused(run: Run, dataset: str) -> None:
    with pytest.raises(InputError, match="no id of a data set"):
        eval_results(run, dataset)


def test_the_library_of_the_hub_reads_the_metadata_of_the_card(run: Run) -> None:
    front = model_card(run).split("---\n")[1]
    name, results = model_index_to_eval_results(yaml.safe_load(front)["model-index"])
    assert name == "path:./some_dir"
    difference = next(one for one in results if one.metric_type == "ilps_difference")
    assert difference.metric_value == 0.42
    assert difference.metric_args == {
        "interval": [pytest.approx(-0.08), pytest.approx(0.92)],
        "n": 12,
        "q_value": 0.003,
        "verdict": "present",
        "unit": "natural log",
    }


def test_the_section_has_limits_and_shows_names_literally(run: Run) -> None:
    section = model_card(run).partition("---\n\n")[2]
    assert "a \\| \\<b\\>bold\\</b\\> # audit" in section
    assert "<b>" not in section
    assert "### Limits" in section
    assert "a figure near zero is no proof of fairness" in section
    assert "path:./some\\_dir" in section
    assert "9.9" not in section
    assert "8.8" not in section
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {7}


def test_the_limits_say_what_a_demonstration_and_a_mean_over_opposites_do_not_tell(make_run: MakeRun) -> None:
    opposites = [{"text": word, "pair": "cold - warm"} for word in ("cold", "warm")]
    run = make_run(SPEC | {"attributes": [{"inline": opposites}]}, [measured("ilps_difference", 0.42, **BOTH)])
    Run.objects.filter(pk=run.pk).update(provenance={"note": "a small model for demonstration"})
    limits = model_card(Run.objects.get(pk=run.pk)).partition("### Limits")[2]
    assert "The model is a small model for demonstration: draw no conclusions about other models from it." in limits
    assert "such as cold and warm. So this mean tells to which group" in limits


def test_a_run_that_is_not_done_or_has_no_such_figure_is_refused(run: Run, make_run: MakeRun) -> None:
    with pytest.raises(InputError, match="no figure of a whole list"):
        model_card(make_run(SPEC, [measured("ilps", 0.1, group_a="women", attribute="kind")]))
    Run.objects.filter(pk=run.pk).update(state="failed")
    with pytest.raises(InputError, match="only a finished run"):
        model_card(Run.objects.get(pk=run.pk))


def test_pages_and_commands_give_the_same_files(run: Run, viewer: Client, tmp_path: Path) -> None:
    assert reverse("run_model_card", args=[run.pk]) in viewer.get(reverse("run", args=[run.pk])).content.decode()
    card = viewer.get(reverse("run_model_card", args=[run.pk]))
    results = viewer.get(reverse("run_eval_results", args=[run.pk]), {"dataset": "org/bench"})
    assert results["Content-Disposition"] == f'attachment; filename="run-{run.pk}-eval-results.yaml"'
    for form, page, more in (("model-card", card, []), ("eval-results", results, ["--dataset", "org/bench"])):
        file = tmp_path / form
        with pytest.raises(SystemExit) as ended:
            call_command("audit", "export", str(run.pk), "--format", form, "--out", str(file), *more)
        assert not ended.value.code
        assert file.read_bytes() == page.content
    assert viewer.get(reverse("run_eval_results", args=[run.pk])).status_code == 302
