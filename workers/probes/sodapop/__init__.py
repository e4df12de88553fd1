"""SODAPOP: distractors from a masked model, questions to another, and words that mislead it about some people."""
