"""Embeddings of names over contexts, and what a linear classifier tells from them (An et al. 2023, section 2)."""
