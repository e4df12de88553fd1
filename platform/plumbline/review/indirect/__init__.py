"""The page of the indirect method: pure code under its views."""
