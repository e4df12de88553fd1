"""The objects of KEDA, which scales the workers, held against its schemas."""

from copy import deepcopy
from typing import Any

import jsonschema
import pytest
import yaml

from tests.deployment.conftest import ROOT
from tests.deployment.keda import SCHEMAS

OBJECTS: list[dict[str, Any]] = [
    *yaml.safe_load_all((ROOT / "kubernetes/autoscaling/workers.yaml").read_text(encoding="utf-8"))
]
[SCALED, *_] = (one for one in OBJECTS if one["kind"] == "ScaledObject")
[TRIGGER] = SCALED["spec"]["triggers"]
[LOGIN] = (one for one in OBJECTS if one["kind"] == "TriggerAuthentication")


def check(manifest: dict[str, Any]) -> None:
    jsonschema.validate(manifest, SCHEMAS[manifest["kind"]])


@pytest.mark.parametrize("manifest", OBJECTS, ids=lambda one: f"{one['kind']} {one['metadata']['name']}")
def test_each_object_is_what_its_schema_asks(manifest: dict[str, Any]) -> None:
    check(manifest)


def with_spec(manifest: dict[str, Any], **fields: object) -> dict[str, Any]:
    wrong = deepcopy(manifest)
    wrong["spec"].update(fields)
    return wrong


def with_metadata(**parameters: object) -> dict[str, Any]:
    return with_spec(SCALED, triggers=[TRIGGER | {"metadata": TRIGGER["metadata"] | parameters}])


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (with_spec(SCALED, minReplicas=1), "'minReplicas' was unexpected"),
        (with_spec(SCALED, maxReplicaCount="4"), "'4' is not of type 'integer'"),
        (with_spec(SCALED, triggers=[TRIGGER | {"type": "postgres"}]), "'postgresql' was expected"),
        (with_spec(LOGIN, secretTargetRef=[{"parameter": "connection", "name": "a"}]), "'key' is a required property"),
        (with_metadata(targetQueryValue=8), "8 is not of type 'string'"),
        (with_metadata(activationTarget="0"), "'activationTarget' was unexpected"),
    ],
)
def test_a_wrong_object_is_noticed(wrong: dict[str, Any], fault: str) -> None:
    with pytest.raises(jsonschema.ValidationError, match=fault):
        check(wrong)
