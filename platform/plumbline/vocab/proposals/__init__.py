"""Names proposed from a table of births: reading it, proportions and thresholds, comparison, acceptance."""
