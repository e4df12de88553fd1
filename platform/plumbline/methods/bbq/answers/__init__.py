"""The page on which people check how the parser understood answers in text."""
