import pytest

from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json

ATTACKS = {
    "[NaN]": "NaN is no number in JSON; write a finite one",
    '{"a": Infinity}': "Infinity is no number",
    "-Infinity": "-Infinity is no number",
    "[1e999]": "'1e999' is too large for a number",
    '{"a": 1, "a": 2}': "'a' appears twice in one object; keep one",
    '[{"b": {"a": 1, "b": 2, "a": 1}}]': "'a' appears twice",
    '{"' + "k" * 5000 + '": 1, "' + "k" * 5000 + '": 2}': "kkk'... appears twice",
    "[" * 100_000: "nested too deeply|is no JSON",
    '{"a":' * 100_000: "nested too deeply|is no JSON",
    "1" * 5000: "is no JSON: Exceeds the limit",
    "-1e" + "9" * 5000: "is too large for a number",
    "[": "it is no JSON",
    "": "it is no JSON",
    "undefined": "it is no JSON",
}


@pytest.mark.parametrize("text", ATTACKS, ids=lambda text: text[:20])
def test_what_python_takes_beside_the_standard_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=ATTACKS[text]) as refused:
        load_json(text)
    assert len(str(refused.value)) < 400


def test_plain_json_is_read() -> None:
    assert load_json('[{"a": 1.5, "b": null}, [true, "NaN"]]') == [{"a": 1.5, "b": None}, [True, "NaN"]]
