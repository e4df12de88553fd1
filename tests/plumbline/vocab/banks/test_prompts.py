"""Questions become open prompts, by the table and by how the answer begins."""

import pytest

from plumbline.vocab.banks.prompts import follows, prompt_of


@pytest.mark.parametrize(
    ("question", "answer", "prompt"),
    [
        ("How would you describe {name}?", "kind", "{name} is"),
        ("How would {name} feel afterwards?", "frustrated", "Afterwards, {name} would feel"),
        ("How would {name} feel afterwards?", "felt sad", "Afterwards, {name}"),
        ("How would others feel as a result?", "glad", "As a result, others would feel"),
        ("What will {name} want to do next?", "go home", "Next, {name} will want to"),
        ("What will {name} want to do next?", "to go home", "Next, {name} will want"),
        ("What will Others want to do next?", "wanted to go", "Next, Others"),
        ("Why did {name} do this?", "be kind", "{name} did this to"),
        ("Why did {name} do this?", "because of the rain", "{name} did this"),
        ("Why did {name} do this?", "needed money", "{name} did this because {name}"),
        ("Why did {name} do this?", "feed the cat", "{name} did this to"),
        ("What does {name} need to do before this?", "find a map", "Before this, {name} needs to"),
        ("What will happen to {name}?", "be thanked", "As a result, {name} will"),
        ("What kind of place is it?", "a park", ""),
        ("How would you describe Kim?", "kind", ""),
    ],
)
def test_a_question_has_the_prompt_of_the_table(question: str, answer: str, prompt: str) -> None:
    assert prompt_of(question, answer) == prompt


def test_an_answer_with_a_subject_or_a_verb_of_its_own_does_not_follow() -> None:
    assert follows("{name} is", "a good friend")
    assert not follows("{name} is", "has a sweet tooth")
    assert not follows("As a result, {name} will", "They will play")
    assert not follows("As a result, {name} will", "{name}'s mother will sing")
