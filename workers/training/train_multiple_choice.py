"""Training of a multiple-choice model: of each question, the right answer shall get the highest logit."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.fine_tuning import FineTuning
from workers.training.questions import Question, capitalised, check, digest_of, encoded
from workers.training.recipe import ChoiceRecipe


class Choosing(FineTuning):
    """The training of a multiple-choice model on questions."""

    def __init__(self, model: MultipleChoiceModel, recipe: ChoiceRecipe, questions: Sequence[Question]) -> None:
        self.model = model
        self.questions = questions
        check(model.tokenizer, questions)
        self.names_seen = capitalised(questions)
        self.gold = torch.tensor([one.gold for one in questions])
        super().__init__(model, recipe, len(questions), {"questions": digest_of(questions)})

    def loss(self, part: npt.NDArray[np.int64]) -> Tensor:
        rows = encoded(self.model.tokenizer, [self.questions[row] for row in part])
        fed = self.model.fed([choice for row in rows for choice in row], choices=len(rows[0]))
        return nn.functional.cross_entropy(self.model.model(**fed).logits, self.gold[part].to(self.model.device))
