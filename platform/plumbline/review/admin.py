"""What the review desk adds to the admin."""

from plumbline.review import people  # noqa: F401 - registers the pages
