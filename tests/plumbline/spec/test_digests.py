import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.digests import canonical_json, digest

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def reordered(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: reordered(content[key]) for key in reversed(content)}
    return [reordered(item) for item in content] if isinstance(content, list) else content


@given(plain)
def test_the_order_of_keys_changes_nothing_and_no_content_is_lost(content: Any) -> None:
    assert canonical_json(reordered(content)) == canonical_json(content)
    assert json.loads(canonical_json(content)) == content


def test_the_digest_is_the_sha_256_of_the_canonical_text() -> None:
    assert canonical_json({"b": [1, None], "a": "é"}) == '{"a":"é","b":[1,null]}'
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_the_order_of_a_list_is_content() -> None:
    assert digest(["a", "b"]) != digest(["b", "a"])


def test_what_is_no_number_has_no_canonical_form() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        digest({"score": float("nan")})
