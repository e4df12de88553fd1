"""Error rates of a text classifier by group, over templates with a known label and words that name the groups.

templates --filled with each word of each group--> sentences --the classifier--> positive or not --> rates, differences
"""
