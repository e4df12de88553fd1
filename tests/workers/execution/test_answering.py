"""Questions answered by a worker on real, tiny models."""

import gc
import shutil
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plumbline.audits import leases, questions
from plumbline.audits.models import MOST_ATTEMPTS, ModelCheck, ModelUnderAudit, Spelling, SpellingRequest
from plumbline.spec.errors import OutOfMemoryError
from plumbline.vocab.models import Name, NameList
from tests.workers.execution.conftest import Silent
from workers.engine import memory
from workers.engine.masked import MaskedModel
from workers.execution import Worker, answer_next
from workers.execution.worker_loop import WorkerSpentError

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker() -> Worker:
    return Worker("test", Silent(), owner="")


@pytest.fixture
def audited(model: Path) -> ModelUnderAudit:
    return ModelUnderAudit.objects.create(reference=f"path:{model}")


def answered(worker: Worker) -> list[str]:
    """Answer all that is asked; what it was."""
    done: list[str] = []
    while answer_next(worker, done.append):
        pass
    return done


def test_a_check_shows_what_the_model_is(worker: Worker, audited: ModelUnderAudit, model: Path) -> None:
    questions.ask_check(audited)
    assert answered(worker) == [f"check of path:{model}"]
    check = ModelCheck.objects.get()
    assert (check.verdict, check.error, check.kind, check.dtype) == ("loads", "", "masked", "F32")
    assert (check.tokenizer, check.size_on_disk) == ("BertTokenizer", (model / "model.safetensors").stat().st_size)
    assert worker.loaded is not None
    loaded = worker.loaded[1]
    assert isinstance(loaded, MaskedModel)
    assert check.parameters == loaded.model.num_parameters()
    assert check.vocabulary == loaded.vocabulary_size
    assert (check.digest, check.tokenizer_digest) == worker.loaded[0][:2]
    assert check.device in ("cpu", "cuda")


def test_nothing_asked_is_nothing_answered(worker: Worker) -> None:
    assert answered(worker) == []


def test_what_was_found_before_the_fault_is_kept_next_to_it(
    worker: Worker, audited: ModelUnderAudit, model: Path
) -> None:
    """Weights that are whole, under a config that promises more of them."""
    config = model / "config.json"
    config.write_text(config.read_text().replace('"num_hidden_layers": 2', '"num_hidden_layers": 3'))
    questions.ask_check(audited)
    answered(worker)
    check = ModelCheck.objects.get()
    assert check.verdict == "does not load"
    assert "lacks weights that its config promises" in check.error
    assert (check.kind, check.tokenizer, check.device) == ("masked", "BertTokenizer", "")


def test_a_model_that_is_not_there_is_an_answer(worker: Worker, audited: ModelUnderAudit, model: Path) -> None:
    shutil.rmtree(model)
    questions.ask_check(audited)
    answered(worker)
    assert "does not exist: check the path" in ModelCheck.objects.get().error


def test_a_model_too_large_for_float32_is_loaded_as_it_fits_and_says_so(
    worker: Worker, audited: ModelUnderAudit, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions.ask_check(audited)
    answered(worker)
    whole = ModelCheck.objects.get()
    free = 3 * (whole.parameters or 0)
    monkeypatch.setattr(memory, "free_memory", lambda _: free)
    questions.ask_check(audited)
    other = Worker("other", Silent(), owner="")
    answered(other)
    check = ModelCheck.objects.latest("pk")
    assert (check.verdict, check.remark[:22]) == ("loads", "loaded as bfloat16: as")
    assert other.loaded
    assert other.loaded[0][2] == "bfloat16"


def test_a_model_that_cannot_fit_is_refused_before_it_is_loaded(
    worker: Worker, audited: ModelUnderAudit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda _: 1000)
    questions.ask_check(audited)
    answered(worker)
    check = ModelCheck.objects.get()
    assert check.verdict == "does not load"
    assert "does not fit into the memory of this worker" in check.error
    assert (check.kind, check.parameters is None, check.device, worker.loaded) == ("masked", False, "", None)


def test_a_model_that_is_loaded_already_needs_no_further_memory(
    worker: Worker, audited: ModelUnderAudit, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions.ask_check(audited)
    answered(worker)
    monkeypatch.setattr(memory, "free_memory", lambda _: 0)
    questions.ask_check(audited)
    answered(worker)
    assert ModelCheck.objects.latest("pk").verdict == "loads"


def test_the_memory_of_the_model_before_is_free_when_the_next_is_measured(
    worker: Worker, audited: ModelUnderAudit, changed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that refers to itself lives on until Python looks for such circles."""
    questions.ask_check(audited)
    answered(worker)
    assert worker.loaded
    loaded: Any = worker.loaded[1]
    loaded.itself = loaded
    before = weakref.ref(loaded)
    del loaded
    found: list[object] = []

    def measured(_: str) -> int:
        found.append(before())
        return 10**12

    monkeypatch.setattr(memory, "free_memory", measured)
    questions.ask_check(ModelUnderAudit.objects.create(reference=f"path:{changed}"))
    gc.disable()
    try:
        answered(worker)
    finally:
        gc.enable()
    assert found == [None]


def out_of_memory(*_: Any) -> None:
    raise OutOfMemoryError("it does not fit")


def test_memory_that_runs_out_leaves_it_to_others_and_the_last_says_so(
    worker: Worker, audited: ModelUnderAudit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Worker, "model", out_of_memory)
    questions.ask_check(audited)
    for _ in range(MOST_ATTEMPTS - 1):
        with pytest.raises(WorkerSpentError):
            answered(worker)
        assert ModelCheck.objects.get().verdict == "waits for a worker"
    answered(worker)
    assert ModelCheck.objects.get().error == "out of memory: it does not fit"


def test_a_clean_stop_gives_the_question_back_uncounted(
    worker: Worker, audited: ModelUnderAudit, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    questions.ask_check(audited)
    monkeypatch.setattr(Worker, "model", interrupted)
    with pytest.raises(KeyboardInterrupt):
        answered(worker)
    check = ModelCheck.objects.get()
    assert (check.attempts, check.token, check.verdict) == (0, None, "waits for a worker")


def test_who_lost_the_lease_meanwhile_writes_nothing(
    worker: Worker, audited: ModelUnderAudit, monkeypatch: pytest.MonkeyPatch
) -> None:
    load: Callable[..., Any] = Worker.model

    def lose(*of: Any) -> Any:
        ModelCheck.objects.update(token=None, leased_by="", lease_until=None)
        return load(*of)

    monkeypatch.setattr(Worker, "model", lose)
    questions.ask_check(audited)
    assert answer_next(worker, lambda what: None)
    assert ModelCheck.objects.get().verdict == "waits for a worker"
    assert leases.release_dead(ModelCheck.objects.all()) == 0


@pytest.fixture
def names() -> NameList:
    names = NameList.objects.create(slug="firsts", title="Firsts")
    for name in ("men", "Anna", "日本"):
        Name.objects.create(word_list=names, name=name)
    return names


def test_the_words_of_a_list_are_spelled_as_the_tokenizer_writes_them(
    worker: Worker, audited: ModelUnderAudit, names: NameList
) -> None:
    questions.ask_spelling(audited, "names", "firsts")
    assert answered(worker) == [f"spelling of firsts for {audited}", "tests of the words of firsts"]
    request = SpellingRequest.objects.get()
    assert (request.words, request.error, worker.loaded) == (3, "", None)
    spelled = {one.word: one for one in Spelling.objects.filter(tokenizer_digest=request.tokenizer_digest)}
    assert (spelled["men"].subwords, spelled["men"].pieces, spelled["men"].fault) == (1, ["men"], "")
    assert (spelled["Anna"].subwords, spelled["Anna"].pieces) == (4, ["a", "##n", "##n", "##a"])
    assert spelled["日本"].fault == "'日本' is spelled with the unknown token"


def test_what_is_spelled_already_stays_and_what_is_new_joins_it(
    worker: Worker, audited: ModelUnderAudit, names: NameList
) -> None:
    questions.ask_spelling(audited, "names", "firsts")
    answered(worker)
    before = set(Spelling.objects.values_list("pk", flat=True))
    Name.objects.create(word_list=names, name="Ben")
    questions.ask_spelling(audited, "names", "firsts")
    answered(worker)
    assert Spelling.objects.exclude(pk__in=before).get().word == "Ben"
    assert before < set(Spelling.objects.values_list("pk", flat=True))


def test_a_list_that_went_away_meanwhile_is_named(worker: Worker, audited: ModelUnderAudit, names: NameList) -> None:
    questions.ask_spelling(audited, "names", "firsts")
    names.delete()
    answered(worker)
    assert "there is no names list 'firsts'" in SpellingRequest.objects.get().error


def test_word_vectors_are_not_spelled_and_say_so(worker: Worker, names: NameList, tmp_path: Path) -> None:
    vectors = tmp_path / "rose.vec"
    vectors.write_text("rose 1 0 0.5\nlily 0 1 0\n")
    audited = ModelUnderAudit.objects.create(reference=f"path:{vectors}")
    questions.ask_spelling(audited, "names", "firsts")
    answered(worker)
    error = SpellingRequest.objects.get().error
    assert "of the kind static, which has no tokenizer here" in error
    assert str(vectors) in error
    assert not Spelling.objects.exists()


@pytest.mark.parametrize(
    ("reference", "kind"), [("openai:http://localhost:9/v1#m", "remote"), ("answers:somebody", "answers")]
)
def test_what_answers_elsewhere_is_known_by_its_kind_and_asked_nothing(
    worker: Worker, names: NameList, reference: str, kind: str
) -> None:
    audited = ModelUnderAudit.objects.create(reference=reference)
    questions.ask_check(audited)
    questions.ask_spelling(audited, "names", "firsts")
    answered(worker)
    check = ModelCheck.objects.get()
    assert (check.kind, check.error, check.parameters) == (kind, "", None)
    assert f"of the kind {kind}, which has no tokenizer here" in SpellingRequest.objects.get().error


def test_five_thousand_names_are_spelled_in_one_go(worker: Worker, audited: ModelUnderAudit) -> None:
    many = NameList.objects.create(slug="many", title="Many")
    Name.objects.bulk_create(Name(word_list=many, name=f"name{number}") for number in range(5000))
    questions.ask_spelling(audited, "names", "many")
    answered(worker)
    assert SpellingRequest.objects.get().words == Spelling.objects.count() == 5000
