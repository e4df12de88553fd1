"""From estimates to measures: numbers with names, families of tests, q-values and verdicts."""
