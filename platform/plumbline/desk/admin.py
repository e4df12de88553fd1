"""What the desk adds to the admin."""

from plumbline.desk import people  # noqa: F401 - registers the pages
