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
        ("vllm:http://host:8000#some/model", Scheme.VLLM, "http://host:8000#some/model", ""),
        ("sglang:https://host/v1#m&tokenizer=hub:a/b@v1", Scheme.SGLANG, "https://host/v1#m", ""),
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
        "variant:../x", "hub:org/a--b", "hub:org/a..b", "hub:org/-a", "hub:org/a-", "hub:org/a.", "hub:org/a.git",
        "hub:org/" + "a" * 93, "hub:org/name@../x", "hub:org/name@a..b", "hub:org/name@" + "a" * 201, "hub:org/n?a=b",
        "hub:org/name@a b", "hub:org/name@main#x", "hub:https://host/org/name", "hub:org//name", "hub:org/n\u0430me",
        "openai:https://#model", "openai:https:///v1#model", "openai:https://host/v1#a#b",
        "openai:https://host/v1", "openai:host#model", "HUB:org/name", "file:x", "vllm:host#model", "vllm:http://host",
        "vllm:ftp://host#m", "vllm:http://host#m&tokenizer=", "vllm:http://host#m&tokenizer=x", "sglang:http://host#m&a=b",
    ],
)  # fmt: skip
def test_any_other_text_is_refused_with_the_allowed_forms(text: str) -> None:
    with pytest.raises(
        SpecError, match=r"hub:org/name@revision, path:DIR, .*, openai:BASE_URL#MODEL, vllm:BASE_URL#MODEL"
    ):
        ModelReference.parse(text)


def test_the_tokenizer_of_a_server_is_a_reference_to_files() -> None:
    assert ModelReference.parse("vllm:http://host#m&tokenizer=path:/models/a").tokenizer == "path:/models/a"
    assert ModelReference.parse("vllm:http://host#m").tokenizer == ""
    for other in ("openai:http://host#m", "vllm:http://host#m", "answers:somebody"):
        with pytest.raises(SpecError, match="the tokenizer comes from files"):
            ModelReference.parse(f"vllm:http://host#m&tokenizer={other}")


@pytest.mark.parametrize(
    "address",
    [
        "https://ada:hunter2@host/v1", "http://hunter2@host", "https://ada:hunter2@host:8000/v1", "https://:hunter2@host",
        "https://ada:hun/ter2@host/v1", "https://ada:hunter2\\@host/v1", "https://ada:hunter2", "https://host/hunter2@x",
        "https://host/v1?api_key=hunter2", "https://host/v1?a=b&Access-Token=hunter2", "https://host/v1?sig=hunter2",
        "https://host:99999/v1?hunter2", "https://[hunter2/v1",
    ],
)  # fmt: skip
def test_credentials_in_an_address_are_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(SpecError, match=r"without them, and put the key into .* OPENAI_API_KEY") as refused:
        ModelReference.parse(f"openai:{address}#model")
    assert "hunter2" not in str(refused.value)
    with pytest.raises(SpecError, match=r"write vllm:BASE_URL#MODEL without them, .* VLLM_API_KEY") as refused:
        ModelReference.parse(f"vllm:{address}#model&tokenizer=hub:a/b")
    assert "hunter2" not in str(refused.value)


def test_an_address_may_have_a_port_a_query_and_a_model_with_signs() -> None:
    for text in ("http://127.0.0.1:8000/v1#a/b@c", "https://host/v1?api-version=2#gpt", "https://[::1]:80/#@cf/x:1"):
        assert ModelReference.parse(f"openai:{text}").target == text


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    for prefix in ("", "hub:", "path:", "bundled:", "openai:", "vllm:http://host#m&tokenizer="):
        try:
            assert str(ModelReference.parse(prefix + text)) == prefix + text
        except SpecError as error:
            assert "\n" not in str(error)  # noqa: PT017
