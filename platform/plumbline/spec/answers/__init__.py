"""Answers in text: what an endpoint sends, and the parser that finds the option that an answer names."""
