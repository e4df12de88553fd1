"""A user study of the pages of a run: people with accounts do tasks, and rate the pages afterwards."""
