"""The word embedding association test: words -> embeddings -> cosines -> effect size and permutation test."""
