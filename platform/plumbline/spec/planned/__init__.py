"""Which tests a plan makes, by method: what can be said of them before the launch."""
