import random
import string
import threading

import pytest
from django.db import connection, transaction

from plumbline.results.models import Term
from plumbline.results.terms import ids_of
from plumbline.spec.errors import InputError


@pytest.mark.django_db
def test_labels_get_ids_in_sorted_order_and_keep_them() -> None:
    first = ids_of(["women", "men", "women"])
    assert set(first) == {"men", "women"}
    assert first["men"] < first["women"]
    assert ids_of(["men", "nurse", "women"]) == {**first, "nurse": ids_of(["nurse"])["nurse"]}
    assert Term.objects.get(pk=first["women"]).text == "women"


@pytest.mark.django_db
def test_labels_are_taken_literally() -> None:
    odd = ["%s", "50%", "a'b", 'a"b', "{}", "", " ", "Müller", "müller", "DROP TABLE term; --", "a\nb", "\\N"]
    assert len(set(ids_of(odd).values())) == len(odd)
    assert set(Term.objects.values_list("text", flat=True)) >= set(odd)


@pytest.mark.django_db
def test_no_labels_need_no_ids() -> None:
    assert ids_of([]) == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_results")
def test_two_writers_of_the_same_labels_agree() -> None:
    found: list[dict[str, int]] = []

    def write() -> None:
        found.append(ids_of(reversed("abcdefgh")))
        connection.close()

    with transaction.atomic():
        mine = ids_of("abcdxyz")
        other = threading.Thread(target=write)
        other.start()
        other.join(0.5)
        assert other.is_alive()
    other.join(30)
    assert {label: found[0][label] for label in "abcd"} == {label: mine[label] for label in "abcd"}


@pytest.mark.django_db
def test_a_label_that_the_index_cannot_hold_is_refused_in_one_line() -> None:
    noise = "".join(random.Random(0).choices(string.printable, k=400_000))  # noqa: S311 -- noise
    with pytest.raises(InputError, match="is too long for the database; shorten it") as refused, transaction.atomic():
        ids_of(["short", noise])
    assert len(str(refused.value)) < 1000
    assert ids_of(["short"])
