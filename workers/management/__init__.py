"""The commands that need a worker: `audit`, `bank`, `train`, `worker` and `demo`."""
