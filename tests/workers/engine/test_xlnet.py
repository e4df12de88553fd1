from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import save_model
from tests.workers.engine.squishing import squished
from workers.engine.checkpoints.checkpoint import Kind
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.xlnet import PermutedBody

Loader = Callable[[str], MaskedModel]


def test_xlnet_is_found_as_a_masked_model(folder_of: Callable[[str], Path], masked: Loader) -> None:
    assert locate(f"path:{folder_of('xlnet')}").kind == Kind.MASKED
    assert isinstance(masked("xlnet").body, PermutedBody)


def test_both_sides_of_a_masked_place_count(masked: Loader) -> None:
    model = masked("xlnet")
    mask = model.mask_token_id
    inputs = [(10, 11, mask, 13, 14, 4, 3), (10, 12, mask, 13, 14, 4, 3), (10, 11, mask, 15, 14, 4, 3)]
    whole, left, right = model.log_probabilities([MaskedQuery(ids, 2, 20) for ids in inputs])
    assert min(abs(whole - left), abs(whole - right)) > 0.01


@torch.inference_mode()
def test_no_token_attends_to_a_masked_place(masked: Loader) -> None:
    model = masked("xlnet")
    body, mask = model.body, model.mask_token_id
    assert isinstance(body, PermutedBody)
    places = [(0, 2), (0, 4)]
    before = body.states([(10, 11, mask, 13, mask, 4, 3)], places)
    own = model.model.get_input_embeddings().weight
    kept = own[mask].clone()
    own[mask] = 5.0
    after = body.states([(10, 11, mask, 13, mask, 4, 3)], places)
    own[mask] = kept
    torch.testing.assert_close(after, before, atol=1e-5, rtol=0)


def test_several_masks_do_not_see_each_other_whatever_is_read(masked: Loader) -> None:
    model = masked("xlnet")
    mask = model.mask_token_id
    ids = (10, mask, mask, 13, 4, 3)
    both = model.log_probabilities([MaskedQuery(ids, 1, 20), MaskedQuery(ids, 2, 20)])
    alone = [model.log_probabilities([MaskedQuery(ids, position, 20)])[0] for position in (1, 2)]
    np.testing.assert_allclose(both, alone, atol=1e-5, rtol=0)
    assert abs(both[0] - both[1]) > 0.01


def test_one_that_sees_the_left_side_only_is_refused(tmp_path: Path) -> None:
    folder = save_model(tmp_path, "XLNetLMHeadModel", "xlnet", {"d_model": 32, "n_layer": 1, "n_head": 2, "d_inner": 8})
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"attn_type": "bi"', '"attn_type": "uni"'))
    with pytest.raises(ModelError, match="does not see both sides"):
        load(locate(f"path:{folder}"))


def test_its_last_layer_has_distances(masked: Loader) -> None:
    model = masked("xlnet")
    asked = [MaskedQuery((10, 11, model.mask_token_id, 13, 14, 4, 3), 2, target) for target in (20, 30)]
    assert isinstance(model.body, PermutedBody)
    with torch.inference_mode():
        hidden = model.body.states([asked[0].ids], [(0, 2)])[0].double()
        logits = model.model.lm_loss(hidden.float()).double()[: model.named].numpy()
    expected = [squished(logits, one.target, 1.0) / float(hidden.square().sum()) for one in asked]
    assert min(expected) > 0
    assert model.distances(asked) == pytest.approx(expected, rel=1e-4)
