"""Pages that show the records of several methods in one way, a folder each."""
