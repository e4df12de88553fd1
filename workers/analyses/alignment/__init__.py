"""A model beside people: scores of pairs of opposites, and how far they agree with human judgements.

association scores -> pair scores [groups, pairs] -> agreement with mean ratings, beside chance, a group-blind baseline
and what people agree among themselves (Cao et al. 2022, sections 3.2, 4 and 5.1). Pure functions: no model, no SQL.
"""
