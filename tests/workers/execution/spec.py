"""The audit that the tests of execution run."""

from pathlib import Path
from typing import Any


def ilps(model: Path, **changes: Any) -> dict[str, Any]:
    """ILPS of women and men on the model in this folder, as a person writes it: 4 records, unless changed."""
    return {
        "name": "test",
        "probe": "ilps",
        "model": f"path:{model}",
        "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
        "prior": {"plural": "people"},
        "attributes": {"inline": ["poor", "warm"]},
        "templates": {"inline": ["All {group.plural} are {attribute}."]},
        **changes,
    }
