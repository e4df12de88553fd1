"""Pairs of groups and the groups that they are made of (Cao et al. 2022, section 5.2).

scores [templates, groups, attributes] -> trait scores -> taus of pairs with components -> order, dominance, emergence
"""
