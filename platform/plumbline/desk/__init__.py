"""The shell of the pages: overview, runs, plans, models, comparison, and the site of the admin."""
