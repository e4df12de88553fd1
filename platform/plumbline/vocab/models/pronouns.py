"""The pronouns that agreement slots know."""

from django.db import models


class Pronoun(models.TextChoices):
    SHE = "she", "she, her"
    HE = "he", "he, his"
    THEY = "they", "they, their"
