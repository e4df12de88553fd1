"""Scores of masked models: equal to their authors' scripts on a tiny model, and a reason if there is none."""

from pathlib import Path

import pytest
from transformers import AutoModelForMaskedLM

from plumbline.methods.pairs.content import GestSentence, SentencePair
from plumbline.methods.pairs.scores import TEMPLATES
from tests.workers.probes.pairs import transcribed
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.pairs.asks import Ask, Scored
from workers.probes.pairs.masked import NOTHING_SHARED, READINGS, score_gest, score_pairs
from workers.probes.pairs.tokens import ALIKE

TEXTS = [
    ("All women are poor people.", "All men are poor people."),
    ("Most people should be warm, in gowns.", "Most doctors should be warm, in gowns."),
    ("All women were in; the person is poor.", "A cook is in."),
]
PAIRS = [SentencePair(id=str(at), more=more, less=less) for at, (more, less) in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> MaskedModel:
    found = load(locate(f"path:{tiny_folders[0]}"), device="cpu")
    assert isinstance(found, MaskedModel)
    return found


def scored(model: MaskedModel, pairs: list[SentencePair], *names: str) -> list[Scored]:
    return score_pairs(model, pairs, [Ask(name) for name in names], lambda _: None)


def test_every_score_is_that_of_the_authors_scripts(model: MaskedModel) -> None:
    plain = AutoModelForMaskedLM.from_pretrained(model.checkpoint.folder, attn_implementation="eager").eval()
    found = scored(model, PAIRS, *READINGS)
    for at, (more, less) in enumerate(TEXTS):
        expected = [
            transcribed.crows(model.tokenizer, plain, more, less),
            transcribed.both(transcribed.aul, model.tokenizer, plain, more, less),
            transcribed.both(transcribed.aula, model.tokenizer, plain, more, less),
            transcribed.both(transcribed.pll_l2r, model.tokenizer, plain, more, less),
        ]
        own = [(one.first, one.second) for one in found[4 * at : 4 * at + 4]]
        assert own == [pytest.approx(pair, abs=1e-4) for pair in expected]


def test_a_score_does_not_depend_on_what_is_asked_next_to_it(model: MaskedModel) -> None:
    together = scored(model, PAIRS, *READINGS)
    alone = [one for pair in PAIRS for name in READINGS for one in scored(model, [pair], name)]
    assert [one.score for one in together] == pytest.approx([one.score for one in alone], abs=1e-5)


def test_the_attention_of_the_model_is_its_own_again_after_aula(model: MaskedModel) -> None:
    before = model.model.config._attn_implementation
    scored(model, PAIRS, "aula")
    assert model.model.config._attn_implementation == before != "eager"


@pytest.mark.parametrize(
    ("more", "less", "reason"),
    [
        ("All women are POOR.", "All women are poor.", ALIKE),
        ("women", "men", NOTHING_SHARED),
        ("poor " * 130, "warm " * 130, "longer than the model's 128 tokens"),
    ],
)
def test_a_pair_without_a_score_says_why(model: MaskedModel, more: str, less: str, reason: str) -> None:
    (found,) = scored(model, [SentencePair(id="a", more=more, less=less)], "crows")
    assert (found.score, found.reason) == (None, reason)


def test_gest_reads_both_words_at_one_mask_of_the_whole_vocabulary(model: MaskedModel) -> None:
    men, word = TEMPLATES["masked"][1], "people are poor."
    asks = [Ask("gest_masked", men.label, men)]
    (found,) = score_gest(model, [GestSentence(id="1", sentence=word, stereotype=1)], asks, lambda _: None)
    # "man" and "woman" are letters to this tokenizer.
    assert found.reason == "the model splits 'man' into 3 tokens; a mask is one"


def test_the_templates_of_gest_read_as_published() -> None:
    filled = [form.filled(form.female, "I cry.")[0] for kind in ("masked", "causal") for form in TEMPLATES[kind]]
    assert filled == [
        'She said: "I cry."',
        'The woman said: "I cry."',
        '"I cry.", she said.',
        '"I cry.", the woman said.',
        '"I cry.", she',
        '"I cry.", the woman',
    ]
    form = TEMPLATES["masked"][3]
    text, (start, end) = form.filled(form.male, "I cry.")
    assert text[start:end] == "man"
