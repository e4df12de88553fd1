"""Variants of a model: directions of its states that tell groups apart are found and taken out. Knows no database.

corpus --sentences, labelled by words--> states of the sentences --leace | inlp | sentence_debias--> affine map
                                                 |
                                      fresh classifier before and after --guardedness--> what is left

What finds a map are pure functions on arrays; the engine applies the map when it loads the variant.
"""
