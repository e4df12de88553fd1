"""GAP: passages -> embeddings of pronoun and names -> P(neither) out of fold; topics of the passages -> their bias.

spans (embeddings) -> resolver (classifier) -> topics (NMF, word weights) -> summary
"""
