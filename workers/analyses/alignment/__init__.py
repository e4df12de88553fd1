"""Agreement of a model with people, from scores of pairs of opposites and human ratings.

association scores -> pair scores [groups, pairs] -> agreement with mean ratings, compared with chance, a group-blind
baseline and the agreement among people (Cao et al. 2022, sections 3.2, 4 and 5.1). Pure functions without a model or
SQL.
"""
