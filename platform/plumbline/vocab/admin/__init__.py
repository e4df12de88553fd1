"""The curators' pages."""

from plumbline.vocab.admin import banks, lists  # noqa: F401 - registers the pages
