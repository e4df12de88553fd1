"""Reports: a run, a model over time or two runs as one document, and what it covers of laws and standards."""
