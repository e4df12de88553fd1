"""Words of people as pages show them: literally, and nothing in them hidden."""

from plumbline.vocab.templatetags.words import visible

__all__ = ["visible"]
