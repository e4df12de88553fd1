"""People's judgements of answers in text: which answers they are asked about, and how far the parser agrees."""
