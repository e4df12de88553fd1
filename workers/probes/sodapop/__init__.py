"""SODAPOP: distractors from a masked model, questions to another model, and words that mislead it by name."""
