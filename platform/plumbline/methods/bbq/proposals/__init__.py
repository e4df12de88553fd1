"""Proposals of names and jobs for BBQ from public tables, by the thresholds of Parrish et al. 2022, appendices A and B.

readers (census, tzioumis, bartz, prestige) --Tables--> proposing --candidates--> comparison | accepting
"""
