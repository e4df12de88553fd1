"""CEAT: words in sentences of a corpus -> embeddings, draw by draw -> cosines -> effect sizes.

corpus (files, documents) -> occurrences (which sentences hold which word) -> drawing (embeddings) -> effects
"""
