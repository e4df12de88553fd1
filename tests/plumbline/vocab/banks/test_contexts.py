"""Contexts of one's own, and the bank that comes with the project."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from plumbline.vocab.banks import contexts_file, starter_banks
from plumbline.vocab.banks.definitional import definitional_words, gendered_words
from plumbline.vocab.banks.neutral import pronouns_of
from plumbline.vocab.models import Bank, BankItem

HEADER = "id,context,question,prompt,answer\n"
GOOD = "rain,{name} stood in the rain.,How would you describe {name}?,{name} is,very wet and cold\n"

pytestmark = pytest.mark.django_db


def imported(path: Path) -> None:
    call_command("bank", "import", "contexts", str(path), "--into", "mine", "--title", "Ours")


def test_a_file_becomes_a_bank_and_back(
    write_file: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported(write_file(HEADER + GOOD))
    bank = Bank.objects.get()
    assert (bank.kind, bank.title, bank.entries.get().content["answer"]) == ("contexts", "Ours", "very wet and cold")
    call_command("bank", "export", "mine", "--out", str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text(encoding="utf-8-sig").replace("\r\n", "\n") == HEADER + GOOD
    with pytest.raises(CommandError, match="which holds just these questions"):
        imported(tmp_path / "out.csv")


def test_every_faulty_line_is_reported_and_nothing_is_imported(
    write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    nameless = GOOD.replace("{name}", "Kim").replace("rain,", "b,", 1)
    other = GOOD.replace("stood", "met {group}").replace("rain,", "c,", 1)
    empty = GOOD.replace("very wet and cold", "").replace("rain,", "d,", 1)
    with pytest.raises(CommandError, match="4 faulty lines; nothing was imported"):
        imported(write_file(HEADER + GOOD + nameless + other + GOOD + empty))
    told = capsys.readouterr().err
    assert "line 3: context 'b' and its question have no {name}" in told
    assert "line 4: context 'c' holds a slot other than {name}" in told
    assert "line 5: the id 'rain' appears on line 2 already" in told
    assert "line 6: answer: is empty" in told
    assert not Bank.objects.exists()


def test_an_export_names_what_is_no_bank_of_contexts() -> None:
    with pytest.raises(CommandError, match="there is no bank 'mine'"):
        call_command("bank", "export", "mine")


def test_the_starter_bank_holds_sixteen_contexts_without_a_word_that_shows_gender() -> None:
    seed = next(seed for seed in starter_banks.bank_seeds() if seed.slug == "sodapop-contexts")
    items = seed.questions().items
    assert len(items) == 16
    for item in items:
        assert (item["question"], item["prompt"]) == ("How would you describe {name}?", "{name} is")
        # A word more makes ten times as many wrong answers.
        assert 2 <= len(item["answer"].split()) <= 3, item["id"]
        text = " ".join(item.values())
        assert [*gendered_words(text), *pronouns_of(text)] == [], item["id"]


def test_the_starter_bank_is_loaded_once_updated_by_a_release_and_kept_where_somebody_has_their_own() -> None:
    assert {one.outcome for one in starter_banks.load()} == {"created"}
    assert {one.outcome for one in starter_banks.load()} == {"unchanged"}
    Bank.objects.update(seeded="an earlier release")
    BankItem.objects.filter(position=1).delete()
    assert {one.outcome for one in starter_banks.load()} == {"updated"}
    assert Bank.objects.get(slug="sodapop-contexts").entries.count() == 16
    Bank.objects.update(seeded="")
    assert {one.outcome for one in starter_banks.load()} == {"kept"}


def test_definitional_words_have_both_forms_and_their_possessives() -> None:
    assert {"girl", "girls", "husband", "men", "she"} <= definitional_words()
    assert gendered_words("The girls' team met Mom's Actor, and she ran.") == ["girls", "mom"]


def test_text_with_invisible_characters_is_refused() -> None:
    with pytest.raises(ValueError, match="zero width space"):
        contexts_file.read(HEADER + GOOD.replace("wet", "we\u200bt"))
