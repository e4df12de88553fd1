"""The builder of plans: a form and the YAML beside it, each of which follows the other."""
