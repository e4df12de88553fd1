"""The bounds that each row of the calibration table must keep (docs/methods.md, "How conclusions are drawn")."""

from bench.simulations.scenarios import Row

MOST, FEWEST = 0.06, 0.03
LEAST_COVERED, MOST_COVERED = 0.93, 0.97
CONSERVATIVE = "conservative"
"""How the reason begins of a row that may reject too rarely, or cover too much."""


def faults(row: Row) -> list[str]:
    """Which bounds a row breaks: names of columns with their figure."""
    spared = row.exempt.startswith(CONSERVATIVE)
    limits = {
        "type_1_error": (0.0 if spared or "family" in row.verdict else FEWEST, MOST),
        "coverage": (LEAST_COVERED, 1.0 if spared else MOST_COVERED),
        "present_at_0": (0.0, MOST),
        "absent_at_margin": (0.0, MOST),
    }
    found = row.figures
    return [
        f"{name} {found[name]:.3f}"
        for name, (least, most) in limits.items()
        if name in found and not least <= found[name] <= most
    ]
