"""The indirect log probability bias score: which targets and features a model ties to the same first names."""
