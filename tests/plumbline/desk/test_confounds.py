"""The panel of confounds, as each role sees it."""

import html
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from plumbline.audits.models import ModelCheck, ModelUnderAudit, Spelling, SpellingRequest, WordTest
from plumbline.audits.questions import ask_word_tests
from plumbline.audits.states import WorkState
from plumbline.audits.word_materials import MOST_TOKENIZERS, word_material
from plumbline.desk.confounds import MOST_SHOWN
from plumbline.vocab.models import Attribute, AttributeSet, Name, NameList, SentenceTemplate, TemplateList
from tests.workers.execution.conftest import Silent
from workers.execution import Worker, answer_next

pytestmark = pytest.mark.django_db
MARKUP = "<b>O'Zoë</b>"


@pytest.fixture
def names() -> NameList:
    names = NameList.objects.create(slug="firsts", title="First <i>names</i>")
    for number in range(6):
        Name.objects.create(word_list=names, name=f"Anna{number}", group="EA")
        Name.objects.create(word_list=names, name=f"Zoë{number}", group="AA")
    return names


@pytest.fixture
def model() -> ModelUnderAudit:
    return ModelUnderAudit.objects.create(reference="bundled:masked-demo")


def spell(word: str, pieces: int, digest: str = "a" * 64, fault: str = "") -> None:
    written = [f"##{number}" for number in range(pieces)]
    Spelling.objects.create(
        tokenizer_digest=digest,
        word=word,
        subwords=pieces,
        pieces=written,
        subwords_at_start=pieces + 1,
        pieces_at_start=[*written, "x"],
        fault=fault,
    )


@pytest.fixture
def spelled(names: NameList, model: ModelUnderAudit) -> None:
    """Six names of a group are whole, six of another are in three pieces."""
    for number in range(6):
        spell(f"Anna{number}", 1)
        spell(f"Zoë{number}", 3)
    ModelCheck.objects.create(model=model, state=WorkState.DONE, tokenizer_digest="a" * 64)


@pytest.fixture
def log_in(client: Client) -> Any:
    def of(role: str) -> Client:
        person = User.objects.create_user(role)
        person.groups.add(Group.objects.get(name=role))
        client.force_login(person)
        return client

    return of


def page(kind: str = "names", slug: str = "firsts") -> str:
    return reverse("confounds", args=[kind, slug])


def ask(kind: str = "names", slug: str = "firsts") -> str:
    return reverse("confounds_ask", args=[kind, slug])


def answer_tests(kind: str = "names", slug: str = "firsts") -> None:
    """As a worker does that is asked."""
    assert ask_word_tests(kind, slug)
    assert answer_next(Worker("test", Silent(), owner=""), lambda _: None)
    assert not WordTest.objects.latest("pk").error


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return html.unescape(" ".join(answer.content.decode().split()))


def test_the_groups_are_laid_out_and_the_difference_is_said_in_words(spelled: None, log_in: Any) -> None:
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert "Tokenizer of <bdi>bundled:masked-demo</bdi>" in shown
    assert "The names of <bdi>AA</bdi> have more subwords than those of <bdi>EA</bdi>" in shown
    assert "3.00 against 1.00 on average" in shown
    assert "6 of 6 (100.0%)" in shown
    assert "0 of 6 (0.0%)" in shown
    assert "q = 0.00091" in shown
    assert "This list has no frequencies. Import the column" in shown


def test_without_a_difference_nothing_is_claimed(names: NameList, log_in: Any) -> None:
    for name in names.entries.all():
        spell(name.name, 2)
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert "No difference by group was shown. This does not prove that there is none." in shown
    assert "have more subwords than those" not in shown


def test_groups_of_few_words_are_shown_and_not_tested(names: NameList, log_in: Any) -> None:
    spell("Anna0", 1)
    spell("Zoë0", 3)
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert "There is no test" in shown
    assert "may still explain differences between scores" in shown
    assert "This tokenizer has spelled 2 of 12 names. Ask a worker again for the rest." in shown
    assert shown.count("one word") == 2


def test_words_that_are_all_alike_have_no_interval_without_width(spelled: None, log_in: Any) -> None:
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert shown.count("all alike") == 2
    assert "[1.00, 1.00]" not in shown


def test_words_that_cannot_be_spelled_are_a_state_of_their_own(names: NameList, log_in: Any) -> None:
    for name in names.entries.filter(group="AA"):
        spell(name.name, 1, fault=f"{name.name!r} is spelled with the unknown token")
    shown = text(log_in("viewer"), page())
    row = '<td class="number">0</td><td class="hatched" colspan="3">not scorable</td><td class="number">6</td>'
    assert row in shown


def test_only_the_latest_tokenizers_are_shown(names: NameList, log_in: Any) -> None:
    for number in range(MOST_TOKENIZERS):
        spell("Anna0", 1, digest=f"{number:064}")
    everyone = {f"{number:064}" for number in range(MOST_TOKENIZERS)}
    client = log_in("viewer")
    assert set(word_material("names", "firsts").spelled) == everyone
    spell("Anna0", 2, digest="f" * 64)
    assert set(word_material("names", "firsts").spelled) == everyone - {f"{0:064}"} | {"f" * 64}
    again = ModelUnderAudit.objects.create(reference="path:/again")
    SpellingRequest.objects.create(
        model=again, kind="names", slug="firsts", state=WorkState.DONE, tokenizer_digest=f"{0:064}"
    )
    shown = text(client, page())
    assert f"The page shows the latest {MOST_TOKENIZERS} tokenizers." in shown
    assert shown.count("Tokenizer of") == MOST_TOKENIZERS
    assert "Tokenizer of <bdi>path:/again</bdi>" in shown


@pytest.fixture
def counted(names: NameList) -> NameList:
    """The names of EA are frequent, those of AA are rare, and no two alike."""
    for number in range(6):
        names.entries.filter(name=f"Anna{number}").update(frequency=1 + number)
        names.entries.filter(name=f"Zoë{number}").update(frequency=number / 100)
    names.frequency_source = "<i>Births</i>, in percent"
    names.save()
    return names


def test_frequencies_are_shown_by_group_and_in_a_sentence(counted: NameList, spelled: None, log_in: Any) -> None:
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert "The names of <bdi>EA</bdi> are more frequent than those of <bdi>AA</bdi>" in shown
    assert "median 3.5 against 0.025, of those that are known" in shown
    assert "Source of the counts: <bdi><i>Births</i>, in percent</bdi>" in shown
    assert "More frequent names have fewer subwords" in shown
    assert "Spearman's rho = -0.87" in shown
    assert "This list has no frequencies" not in shown
    assert "Many frequencies are unknown" not in shown


def test_unknown_frequencies_are_a_state_of_their_own(counted: NameList, spelled: None, log_in: Any) -> None:
    counted.entries.filter(group="AA").update(frequency=None)
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert 'number">6</td><td class="hatched">not known</td>' in shown
    assert "Many frequencies are unknown for <bdi>AA</bdi> (6 of 6)" in shown
    assert "Nothing to test: a test needs 5 names of known frequency of one group and 5 of another." in shown
    assert "Frequency against subwords: nothing to test. A test needs 10 spelled names" in shown


def test_frequencies_that_do_not_differ_are_claimed_to_do_nothing(names: NameList, spelled: None, log_in: Any) -> None:
    for number in range(6):
        names.entries.filter(name__endswith=str(number)).update(frequency=number)
    answer_tests()
    shown = text(log_in("viewer"), page())
    assert "No difference in frequency by group was shown. This does not prove that there is none." in shown
    assert "No relation between a name's frequency and its number of subwords was shown" in shown
    assert "the list names none" in shown


def test_frequencies_are_shown_before_any_tokenizer_is(counted: NameList, log_in: Any) -> None:
    shown = text(log_in("viewer"), page())
    assert "How frequent the names are" in shown
    assert "No tokenizer has spelled these names yet" in shown


def test_words_that_nobody_tested_have_figures_and_an_offer(counted: NameList, spelled: None, log_in: Any) -> None:
    client = log_in("viewer")
    shown = text(client, page())
    assert "The present names are not tested yet." in shown
    assert "epsilon²  =" not in shown
    assert not any(
        told in shown for told in ("No difference", "There is no test", "Nothing to test", "nothing to test")
    )
    assert '<td class="number">3.00</td>' in shown
    assert client.post(reverse("confounds_test", args=["names", "firsts"])).status_code == 302
    waiting = text(client, page())
    assert "A worker was asked to test whether the names differ by group." in waiting
    assert "No worker can answer now: no worker is alive" in waiting
    WordTest.objects.update(state="done", error="no <memory>")
    assert "The names could not be tested: no <memory>" in text(client, page())


def test_an_answer_about_words_that_changed_is_not_shown(spelled: None, names: NameList, log_in: Any) -> None:
    answer_tests()
    names.entries.filter(name="Anna0").update(group="AA")
    assert "The present names are not tested yet." in text(log_in("viewer"), page())


def test_lists_that_are_no_names_say_that_they_hold_no_frequency(log_in: Any) -> None:
    Attribute.objects.create(word_list=AttributeSet.objects.create(slug="jobs", title="Jobs"), text="nurse")
    assert "Only lists of names can hold frequencies." in text(log_in("viewer"), page("attributes", "jobs"))


def test_a_list_without_spellings_says_what_to_do(names: NameList, log_in: Any) -> None:
    assert "No tokenizer has spelled these names yet. Choose a model" in text(log_in("viewer"), page())


def test_only_who_may_launch_is_offered_to_ask(names: NameList, log_in: Any) -> None:
    assert "Spell the names" not in text(log_in("viewer"), page())
    assert "Spell the names" in text(log_in("auditor"), page())


def test_an_auditor_asks_and_sees_it_wait(names: NameList, model: ModelUnderAudit, log_in: Any) -> None:
    client = log_in("auditor")
    assert client.post(ask(), {"model": model.pk}).status_code == 302
    request = SpellingRequest.objects.get()
    assert (request.kind, request.slug, request.asked_by) == ("names", "firsts", User.objects.get())
    shown = text(client, page())
    assert "bundled:masked-demo: a worker was asked." in shown
    assert "waits for a worker" in shown
    assert "No worker can answer now: no worker is alive" in shown
    client.post(ask(), {"model": model.pk})
    assert "a worker was already asked" in text(client, page())


@pytest.mark.parametrize("wrong", ["", "0", "x", "9" * 40])
def test_a_model_that_is_none_is_refused(names: NameList, log_in: Any, wrong: str) -> None:
    answer = log_in("auditor").post(ask(), {"model": wrong}, follow=True)
    assert "Choose a model under audit" in answer.content.decode()
    assert not SpellingRequest.objects.exists()


def test_why_a_question_was_not_answered_is_shown(names: NameList, model: ModelUnderAudit, log_in: Any) -> None:
    SpellingRequest.objects.create(
        model=model, kind="names", slug="firsts", state=WorkState.DONE, error="needs its wheel: pip install"
    )
    assert "needs its wheel: pip install" in text(log_in("viewer"), page())


def test_an_empty_list_says_so(log_in: Any) -> None:
    NameList.objects.create(slug="empty", title="Empty")
    assert "The list is empty" in text(log_in("viewer"), page(slug="empty"))


def test_words_of_people_are_shown_literally(log_in: Any) -> None:
    names = NameList.objects.create(slug="firsts", title="<script>alert(1)</script>")
    Name.objects.create(word_list=names, name=MARKUP, group="<u>g</u>")
    spell(MARKUP, 2)
    raw = log_in("viewer").get(page()).content.decode()
    assert "&lt;b&gt;O&#x27;Zoë&lt;/b&gt;" in raw
    assert not any(tag in raw for tag in ("<b>O", "<u>g", "<script>alert"))


@pytest.mark.parametrize(("kind", "slug"), [("names", "none"), ("templates", "frames"), ("nonsense", "firsts")])
def test_what_has_no_words_of_its_own_has_no_panel(log_in: Any, kind: str, slug: str) -> None:
    frames = TemplateList.objects.create(slug="frames", title="Frames")
    SentenceTemplate.objects.create(word_list=frames, template="{Group.plural} are {attribute}.")
    client = log_in("auditor")
    assert client.get(page(kind, slug)).status_code == 404
    assert client.post(ask(kind, slug)).status_code == 404


def test_strangers_wrong_roles_and_wrong_methods(names: NameList, client: Client, log_in: Any) -> None:
    assert client.get(page()).url.startswith(reverse("login"))  # type: ignore[attr-defined]
    assert client.post(ask()).url.startswith(reverse("login"))  # type: ignore[attr-defined]
    client.force_login(User.objects.create_user("nobody"))
    assert (client.get(page()).status_code, client.post(ask()).status_code) == (403, 403)
    for role in ("viewer", "reviewer", "curator"):
        assert (log_in(role).get(page()).status_code, client.post(ask()).status_code) == (200, 403)
    log_in("auditor")
    assert (client.post(page()).status_code, client.get(ask()).status_code) == (405, 405)


def test_five_thousand_names_take_no_more_queries(
    model: ModelUnderAudit, log_in: Any, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    many = NameList.objects.create(slug="firsts", title="Many")
    Name.objects.bulk_create(Name(word_list=many, name=f"name{n}", group=f"g{n % 4}", frequency=n) for n in range(5000))
    for digest in "abc":
        Spelling.objects.bulk_create(
            Spelling(
                tokenizer_digest=digest * 64, word=f"name{n}", subwords=1 + n % 5, pieces=["x"] * (1 + n % 5),
                subwords_at_start=1, pieces_at_start=["x"],
            )
            for n in range(5000)
        )  # fmt: skip
    client = log_in("viewer")
    with django_assert_max_num_queries(20):
        shown = text(client, page())
    assert shown.count(f"The {MOST_SHOWN} names with the most subwords") == 3
