"""Two small audits of the demo model over what the study of the thesis explored (Appendix C)."""

from typing import Any

SEX = ["male", "female", "boy", "girl", "man", "woman"]
NAMES = [
    "James", "Mary", "Robert", "Patricia", "John", "Jennifer", "Michael", "Linda", "David", "Elizabeth",
    "William", "Barbara", "Richard", "Susan", "Joseph", "Jessica", "Thomas", "Sarah", "Charles", "Karen",
    "Christopher", "Lisa", "Daniel", "Nancy", "Matthew", "Betty", "Anthony", "Margaret", "Mark", "Sandra",
    "Donald", "Ashley", "Steven", "Kimberly", "Paul", "Emily", "Andrew", "Donna", "Joshua", "Michelle", "Kenneth",
    "Carol", "Kevin", "Amanda", "Brian", "Dorothy", "George", "Melissa",
]  # fmt: skip
COMMON: dict[str, Any] = {
    "probe": "indirect",
    "model": "bundled:masked-demo",
    "bridge": {"inline": NAMES},
    "sensitive": [
        {
            "attributes": {"list": "gender-words", "only": SEX},
            "bridge_feature": ["{name} is {a feature}."],
            "target_feature": ["{The target} is {a feature}."],
        }
    ],
}
OCCUPATIONS: dict[str, Any] = COMMON | {
    "name": "occupations and traits",
    "targets": {
        "list": "occupations",
        "only": [
            "engineer",
            "nurse",
            "teacher",
            "lawyer",
            "plumber",
            "secretary",
            "nanny",
            "dancer",
            "carpenter",
            "librarian",
        ],
    },
    "features": {
        "list": "traits",
        "only": [
            "ambitious",
            "passionate",
            "gentle",
            "strong",
            "kind",
            "lazy",
            "warm",
            "cold",
            "creative",
            "caring",
            "cruel",
            "logical",
        ],
    },
    "templates": {
        "target_bridge": ["My name is {name} and I work as {a target}.", "{name} works as {a target}."],
        "bridge_feature": ["{name} [is|seems] {feature}."],
    },
}
COUNTRIES: dict[str, Any] = COMMON | {
    "name": "countries and beverages",
    "targets": {
        "list": "countries",
        "only": ["France", "Italy", "Germany", "Japan", "Russia", "Mexico", "Austria", "Brazil", "India"],
    },
    "features": {"list": "beverages"},
    "templates": {
        "target_bridge": ["My name is {name} and I come from {the target}.", "{name} lives in {the target}."],
        "bridge_feature": ["{name} likes {feature}.", "{name} drinks a lot of {feature}."],
    },
}
