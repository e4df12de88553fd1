"""Display of people's texts: literal, with invisible characters made visible."""

from plumbline.vocab.templatetags.words import visible

__all__ = ["visible"]
