"""Models behind an OpenAI-compatible endpoint: requests and batches over HTTP, limits, budgets and kept replies."""
