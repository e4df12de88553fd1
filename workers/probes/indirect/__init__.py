"""The indirect log probability bias score: targets and features that a model links with the same first names."""
