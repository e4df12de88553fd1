"""Training of the project's own demo models by recipes that anyone can run, without a database or Django.

corpus --documents, split, tokens--> passages --batches--> masked batches --learning--> weights
"""
