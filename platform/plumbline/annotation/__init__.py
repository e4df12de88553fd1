"""Annotation: people independently map words to traits, rate distractors and validate templates."""
