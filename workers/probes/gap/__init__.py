"""GAP: P(neither) of pronouns and names in passages, and the bias of the passages' topics.

spans (embeddings) -> resolver (classifier) -> topics (NMF, word weights) -> summary
"""
