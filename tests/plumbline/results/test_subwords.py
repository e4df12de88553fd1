"""The number of subwords of a run's words."""

import pytest
from django.db import connection

from plumbline.results.subwords import subwords_of
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db


def test_each_word_has_the_most_subwords_of_its_records_with_these_groups(load: Load) -> None:
    load(1, CELLS)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.association SET n_tokens = 3 WHERE run = 1 AND score > 1")
    assert subwords_of(1, ["women", "men"], ["powerless"]) == {"powerless": 3}
    assert subwords_of(1, ["men"], ["powerless"]) == {"powerless": 1}


def test_words_without_records_or_without_a_count_are_left_out(load: Load) -> None:
    load(1, CELLS)
    assert subwords_of(1, ["men"], ["yare", "unknown", ""]) == {}
    assert subwords_of(1, ["nobody", ""], ["powerless"]) == {}
    assert subwords_of(2, ["men"], ["powerless"]) == {}
