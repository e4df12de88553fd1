"""BBQ: questions about people, put to a model, and how far its answers follow stereotypes."""
