"""CEAT: effect sizes of cosines between contextual embeddings in sampled sentences of a corpus.

corpus (files, documents) -> occurrences (sentences of each word) -> drawing (embeddings) -> effects
"""
