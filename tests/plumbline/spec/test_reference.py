import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import SpecError
from plumbline.spec.reference import ModelReference, Scheme


@pytest.mark.parametrize(
    ("text", "scheme", "target", "revision"),
    [
        ("hub:org/some.model-2@v1.0", Scheme.HUB, "org/some.model-2", "v1.0"),
        ("hub:org/name", Scheme.HUB, "org/name", "main"),
        ("hub:gpt2@refs/pr/3", Scheme.HUB, "gpt2", "refs/pr/3"),
        ("path:./some/dir with spaces", Scheme.PATH, "./some/dir with spaces", ""),
        ("path:C:/models/a@b", Scheme.PATH, "C:/models/a@b", ""),
        ("bundled:smollm2-135m", Scheme.BUNDLED, "smollm2-135m", ""),
        ("openai:https://host:8000/v1#some/model", Scheme.OPENAI, "https://host:8000/v1#some/model", ""),
    ],
)
def test_each_form_is_read(text: str, scheme: Scheme, target: str, revision: str) -> None:
    reference = ModelReference.parse(text)
    assert (reference.scheme, reference.target, reference.revision) == (scheme, target, revision)
    assert str(reference) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "bert-base-uncased", "hub:", "hub:a/b/c", "hub:org/name@", "hub:../etc", "path:", "path: x", "bundled:a/b",
        "variant:../x",
        "openai:https://host/v1", "openai:host#model", "HUB:org/name", "file:x",
    ],
)  # fmt: skip
def test_any_other_text_is_refused_with_the_allowed_forms(text: str) -> None:
    with pytest.raises(
        SpecError, match=r"hub:org/name@revision, path:DIR, bundled:NAME, variant:SLUG or openai:BASE_URL#MODEL"
    ):
        ModelReference.parse(text)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    for prefix in ("", "hub:", "path:", "bundled:", "openai:"):
        try:
            assert str(ModelReference.parse(prefix + text)) == prefix + text
        except SpecError as error:
            assert "\n" not in str(error)  # noqa: PT017
