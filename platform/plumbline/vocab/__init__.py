"""Curated words, ratings, pairs of groups and question banks: their tables, import, export and pages in the admin."""
