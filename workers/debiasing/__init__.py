"""Variants of a model: find and remove the directions of its states that distinguish groups. Knows no database.

corpus --sentences, labelled by words--> states of the sentences --leace | inlp | sentence_debias--> affine map
                                                 |
                                      fresh classifier before and after --guardedness--> what remains

Pure functions on arrays find a map. The engine applies the map when it loads the variant.
"""
