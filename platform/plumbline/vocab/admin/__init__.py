"""The curators' pages."""

from plumbline.vocab.admin import lists  # noqa: F401 - registers the pages
