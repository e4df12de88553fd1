"""Intersections: pairs of groups and their component groups (Cao et al. 2022, section 5.2).

scores [templates, groups, attributes] -> trait scores -> taus of pairs with components -> order, dominance, emergence
"""
