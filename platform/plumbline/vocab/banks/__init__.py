"""Question banks: reading, import, starter banks, and the kinds that several methods share."""
