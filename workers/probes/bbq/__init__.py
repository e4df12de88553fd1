"""BBQ on the workers' side: questions about people, asked of a model, and how far its answers follow stereotypes."""
