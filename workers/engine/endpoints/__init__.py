"""Models behind an OpenAI-compatible endpoint: requests and batches over HTTP, their limits, budgets and kept replies."""
