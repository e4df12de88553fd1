"""Perplexity of held-out texts: how well a model still predicts ordinary text."""
