"""The queue of runs: which one a worker serves next, for how long, and what a waiting run waits for."""
