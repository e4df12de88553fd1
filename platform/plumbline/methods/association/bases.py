"""What the scores of groups in templates rest on."""

from dataclasses import replace

from plumbline.spec.basis import Basis

FIRST_SUBWORD = Basis(
    asks="takes the probability of the word in a sentence about the group",
    prior="subtracts what the same sentence gives with the prior of its plan",
    words="scores the first subword of a word only",
    groups="names the group in the sentence",
    is_signed=True,
    first_subword_only=True,
    scores=("ilps", "pair_score"),
)
WHOLE_WORD = replace(
    FIRST_SUBWORD,
    words="scores all subwords of a word",
    first_subword_only=False,
    scores=("ilps_chain", "pair_score"),
)
SENSITIVITY = replace(
    FIRST_SUBWORD,
    asks="measures how much the last layer must change before the model predicts the word after the group",
    words="takes the subword that needs the largest change",
    first_subword_only=False,
    scores=("set", "pair_score"),
)
TARGET = replace(
    FIRST_SUBWORD,
    asks="takes the probability of the group in a sentence with the word",
    prior="subtracts what the same sentence gives without the word",
    words="needs the word as context only",
    first_subword_only=False,
    scores=("increased_log_probability", "pair_score"),
)
