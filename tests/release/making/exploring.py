"""What people ask about runs: checks and spellings of models, comparisons, maps, added words, expectations."""

from urllib.parse import urlencode

from plumbline.audits import questions
from plumbline.audits.models import MapMethod, ModelUnderAudit, Role, Run, WorkerState
from plumbline.audits.presence import Presence
from plumbline.methods.indirect.added_word_spec import Kind
from plumbline.methods.indirect.added_words import add_word, remove_word
from plumbline.methods.indirect.beliefs import Expectation, PriorBelief
from plumbline.spec.content import Attribute
from tests.release.making.people import browser, person
from tests.release.making.running import answer_questions, execute


def look_into_models() -> None:
    """Models in the registry, one of which is not there; what its tokenizer makes of a list's words."""
    missing, _ = ModelUnderAudit.objects.get_or_create(reference="path:models/that-nobody-has")
    demo = ModelUnderAudit.objects.get(reference="bundled:masked-demo")
    for model in (missing, demo):
        questions.ask_check(model, person("olga"))
    questions.ask_spelling(demo, "attributes", "release-words", person("cleo"))
    answer_questions()


def compare(first: Run, second: Run) -> None:
    questions.ask_comparison(first, second, person("rob"))
    answer_questions()


def map_targets(run: Run) -> None:
    """Asked on the page, for its first statistic and list."""
    rob = browser("rob")
    for method in (MapMethod.PCA, MapMethod.UMAP):
        asked = urlencode({"method": method, "parameter": 3, "seed": 1})
        assert rob.post(f"/runs/{run.pk}/indirect/map/ask/?{asked}").status_code == 200
    answer_questions()


def add_words(run: Run) -> list[Run]:
    """A feature and a target that stay, and a feature that is taken away again."""
    wanted: list[tuple[Kind, str, str]] = [("feature", "beverages", text) for text in ("water", "juice")]
    wanted.insert(1, ("target", "", "Spain"))
    added = [add_word(run, kind, where, Attribute(text=text), person("rob")) for kind, where, text in wanted]
    small = [execute(one.small) for one in added]
    remove_word(added[-1])
    return small


def expect(run: Run) -> None:
    """What two people expected before they saw the score."""
    told = {"run": run, "model": run.model, "category": "beverages", "target": "France", "feature": "wine"}
    for name, expects in (("rob", Expectation.TOGETHER), ("vera", Expectation.NEITHER)):
        PriorBelief.objects.create(person=person(name), expects=expects, note="Before I looked", **told)


def leave_a_worker(run: Run) -> None:
    """The row of a process that was killed while it worked."""
    process = Presence("worker of the release", Role.WORKER, ("gpu", "cpu"), "cpu")
    process.now |= {"state": WorkerState.WORKING, "run_id": run.pk, "doing": "planning"}
    process.tell()
