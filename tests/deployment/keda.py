"""Schemas of the two kinds of KEDA's objects in `kubernetes/autoscaling/`, with the fields that it uses.

`kubernetes_validate` has no schemas of custom resources. Fields, types and required fields are those of the custom
resource definitions of KEDA 2.10. The parameters of the trigger are those of the page "PostgreSQL" in its
documentation: the definitions allow any text there, so a cluster would accept a misspelt one.
"""

from typing import Any

NUMBER_AS_TEXT = {"type": "string", "pattern": r"^\d+(\.\d+)?$"}
NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", "maxLength": 253}
COUNT = {"type": "integer", "minimum": 0}


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """Return the schema of an object that has no other fields."""
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


METADATA = closed({"name": NAME}, "name")

POLICY = closed(
    {
        "type": {"enum": ["Pods", "Percent"]},
        "value": {"type": "integer", "minimum": 1},
        "periodSeconds": {"type": "integer", "minimum": 1, "maximum": 1800},
    },
    "type",
    "value",
    "periodSeconds",
)
SCALING = closed(
    {
        "policies": {"type": "array", "items": POLICY, "minItems": 1},
        "selectPolicy": {"enum": ["Max", "Min", "Disabled"]},
        "stabilizationWindowSeconds": {"type": "integer", "minimum": 0, "maximum": 3600},
    }
)
HORIZONTAL = closed({"behavior": closed({"scaleDown": SCALING, "scaleUp": SCALING})})

POSTGRESQL = closed(
    {
        "query": {"type": "string", "minLength": 1},
        "targetQueryValue": NUMBER_AS_TEXT,
        "activationTargetQueryValue": NUMBER_AS_TEXT,
    },
    "query",
    "targetQueryValue",
)
TRIGGER = closed(
    {
        "type": {"const": "postgresql"},
        "metricType": {"enum": ["AverageValue", "Value"]},
        "authenticationRef": closed({"name": NAME}, "name"),
        "metadata": POSTGRESQL,
    },
    "type",
    "metadata",
)

SCALED_OBJECT = closed(
    {
        "scaleTargetRef": closed({"name": NAME}, "name"),
        "minReplicaCount": COUNT,
        "maxReplicaCount": COUNT,
        "pollingInterval": {"type": "integer", "minimum": 1},
        "cooldownPeriod": COUNT,
        "advanced": closed({"horizontalPodAutoscalerConfig": HORIZONTAL}),
        "triggers": {"type": "array", "items": TRIGGER, "minItems": 1},
    },
    "scaleTargetRef",
    "triggers",
)
SECRET = closed(
    {"parameter": {"const": "connection"}, "name": NAME, "key": {"type": "string"}}, "parameter", "name", "key"
)
TRIGGER_AUTHENTICATION = closed({"secretTargetRef": {"type": "array", "items": SECRET, "minItems": 1}})


def manifest(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    parts = {"apiVersion": {"const": "keda.sh/v1alpha1"}, "kind": {"const": kind}, "metadata": METADATA, "spec": spec}
    return closed(parts, *parts)


SCHEMAS = {
    "ScaledObject": manifest("ScaledObject", SCALED_OBJECT),
    "TriggerAuthentication": manifest("TriggerAuthentication", TRIGGER_AUTHENTICATION),
}
