"""The guide for a first visit: what an audit asks, how to read its figures, and what to do next."""
