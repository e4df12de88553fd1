"""One search over words, lists, runs, plans, models, findings and pages."""
