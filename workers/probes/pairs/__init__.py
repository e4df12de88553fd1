"""The probe of pairs of sentences: which one a model finds likelier, and GEST's ratio of two words."""
