"""Embeddings of names over contexts, and their classification by a linear classifier (An et al. 2023, section 2)."""
