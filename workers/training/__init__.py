"""How the project's own demo model was trained: a recipe that anyone can run. Knows no database and no Django.

corpus --documents, split, tokens--> passages --batches--> masked batches --learning--> weights
                                         |
                                 held out --evaluation--> loss, top-1
"""
