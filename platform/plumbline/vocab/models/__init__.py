"""Models of what people curate: one module for each kind of list."""

from plumbline.vocab.models.attributes import Attribute, AttributeSet
from plumbline.vocab.models.banks import Bank, BankItem
from plumbline.vocab.models.base import Entry, WordList
from plumbline.vocab.models.groups import Group, GroupList
from plumbline.vocab.models.imports import Import
from plumbline.vocab.models.names import Name, NameList
from plumbline.vocab.models.pairings import Pairing, PairingList
from plumbline.vocab.models.pronouns import Pronoun
from plumbline.vocab.models.ratings import Rating, RatingList
from plumbline.vocab.models.templates import SentenceTemplate, TemplateList
from plumbline.vocab.models.traits import TraitList, TraitPair

__all__ = [
    "Attribute",
    "AttributeSet",
    "Bank",
    "BankItem",
    "Entry",
    "Group",
    "GroupList",
    "Import",
    "Name",
    "NameList",
    "Pairing",
    "PairingList",
    "Pronoun",
    "Rating",
    "RatingList",
    "SentenceTemplate",
    "TemplateList",
    "TraitList",
    "TraitPair",
    "WordList",
]
