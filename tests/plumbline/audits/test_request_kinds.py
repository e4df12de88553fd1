"""Which kinds of questions have open ones."""

from pytest_django import DjangoAssertNumQueries

from plumbline.audits.models import ModelCheck, ModelUnderAudit, SpellingRequest
from plumbline.audits.request_kinds import of_open_kinds
from plumbline.audits.states import WorkState


def open_kinds() -> list[type]:
    return [rows.model for rows in of_open_kinds()]


def test_one_query_names_the_kinds_with_open_questions_checks_first(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    model = ModelUnderAudit.objects.create(reference="bundled:masked-demo")
    with django_assert_num_queries(1):
        assert open_kinds() == []
    SpellingRequest.objects.create(model=model, kind="names", slug="firsts", state=WorkState.READY)
    ModelCheck.objects.create(model=model, state=WorkState.READY)
    assert open_kinds() == [ModelCheck, SpellingRequest]
    ModelCheck.objects.update(state=WorkState.DONE)
    assert open_kinds() == [SpellingRequest]
