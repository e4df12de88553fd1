"""The indirect probe on XLNet: what is predicted the permutation mask hides; a text may stand before each sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plumbline.spec.errors import InputError
from tests.workers.probes.indirect.answered import asked, indirect, probe
from tests.workers.probes.indirect.transcription import filled, tokens
from tests.workers.tiny import save_tiny_xlnet
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel

NAMES = ["All", "Most", "Are", "Is", "Should", "Women", "Men", "People", "Person", "Poor", "Bob"]
SPEC: dict[str, Any] = {
    "targets": {"inline": ["women", "cook"]},
    "features": {"inline": ["warm", "kind"]},
    "bridge": {"inline": NAMES},
    "templates": {"target_bridge": ["all {target} were {name}."], "bridge_feature": ["{name} is {feature}."]},
}
PADDING = "most people were in a person. <eod> "


@pytest.fixture(scope="module")
def xlnet(tmp_path_factory: pytest.TempPathFactory) -> MaskedModel:
    found = load(locate(f"path:{save_tiny_xlnet(tmp_path_factory.mktemp('xlnet'), 0)}"), device="cpu")
    assert isinstance(found, MaskedModel)
    return found


@pytest.mark.parametrize("padding", ["", PADDING])
@pytest.mark.parametrize("name", ["Poor", "Bob"])
def test_a_name_is_predicted_from_both_sides_and_from_the_padding(xlnet: MaskedModel, padding: str, name: str) -> None:
    frame = asked(indirect(SPEC, params={"split": "chain", "padding": padding}), xlnet)["bridge"]
    row = frame.filter(side="target_bridge", word="cook", name=name).row(0, named=True)
    before = f"{padding} " if padding else ""
    assert len(tokens(xlnet, name)) == (1 if name == "Poor" else 4)
    assert row["log_p_target"] == pytest.approx(filled(xlnet, f"{before}all cook were *.", name), abs=1e-5)
    assert row["log_p_prior"] == pytest.approx(filled(xlnet, f"{before}all cook were *.", name, "cook"), abs=1e-5)
    feature = frame.filter(side="bridge_feature", word="kind", name=name)["log_p_target"].item()
    assert feature == pytest.approx(filled(xlnet, f"{before}{name} is *.", "kind"), abs=1e-5)


def test_the_padding_counts(xlnet: MaskedModel) -> None:
    both = [
        asked(indirect(SPEC, params={"padding": one}), xlnet)["bridge"]["score"].to_numpy() for one in ("", PADDING)
    ]
    assert np.nanmax(np.abs(both[0] - both[1])) > 0.01


def test_names_of_several_pieces_are_left_out_unless_they_are_chained(xlnet: MaskedModel) -> None:
    frame = asked(indirect(SPEC), xlnet)["bridge"].filter(side="target_bridge", name="Bob")
    assert frame["reason"].unique().to_list() == ["split into 4 subwords, of which a mask can be only one"]


def test_a_padding_beyond_the_models_length_is_refused(tiny_folders: tuple[Path, Path]) -> None:
    bert = locate(f"path:{tiny_folders[0]}")
    other = {"bridge": {"inline": list("abcdefghij")}, "params": {"padding": "all women are warm. " * 40}}
    with pytest.raises(InputError, match=r"padding.* longer than the model's 128 tokens: shorten it"):
        probe().check(indirect(SPEC, **other), {}, bert)
