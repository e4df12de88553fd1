"""The sensitivity test (set): the cells, sentences and asks of the chain rule, read as distances of the last layer."""
