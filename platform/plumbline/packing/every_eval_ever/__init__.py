"""A run in the format of Every Eval Ever, schema version 0.3.0: its figures, and its items as samples.

Source: the JSON schemas of the package every-eval-ever 0.3.0 (MIT), read on 2026-11-26.
"""
