"""Power of a plan, method by method: which tests it makes, and which effects they can detect, before the launch."""
