"""What `bench/calibration.py` simulates: one module a probe, each with its `scenarios`."""
