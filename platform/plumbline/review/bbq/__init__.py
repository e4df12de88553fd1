"""The pages of a BBQ run: its board, labels, templates, and the questions with their answers."""
