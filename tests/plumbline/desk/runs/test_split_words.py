"""Tables of words mark each word of which only the first subword was scored."""

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run

MARK = '<span class="note">of the first of 3 subwords</span>'


@pytest.fixture
def split_kind(done: Run) -> Run:
    """A run whose model splits the word "kind" in three."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.association SET n_tokens = 3 WHERE run = %s AND scorable", [done.pk])
    return done


def marked(client: Client, name: str, run: Run) -> list[str]:
    page = client.get(reverse(name, args=[run.pk])).content.decode()
    table = page.split("figured")[1]
    return [row for row in table.split("<tr") if MARK in row]


@pytest.mark.parametrize("name", ["run", "run_measures"])
def test_a_word_of_which_a_part_was_scored_is_marked_in_its_row(viewer: Client, split_kind: Run, name: str) -> None:
    (row,) = marked(viewer, name, split_kind)
    assert "kind" in row


@pytest.mark.parametrize("name", ["run", "run_measures"])
def test_a_method_that_scores_whole_words_marks_none(viewer: Client, split_kind: Run, name: str) -> None:
    assert marked(viewer, name, split_kind)
    Run.objects.update(probe="ilps_chain")
    page = viewer.get(reverse(name, args=[split_kind.pk])).content.decode()
    assert MARK not in page


@pytest.mark.parametrize("name", ["run", "run_measures"])
def test_a_word_of_one_subword_is_not_marked(viewer: Client, done: Run, name: str) -> None:
    assert not marked(viewer, name, done)
