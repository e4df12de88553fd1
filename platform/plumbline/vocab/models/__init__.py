"""What people curate: one module per kind of list."""

from plumbline.vocab.models.attributes import Attribute, AttributeSet
from plumbline.vocab.models.base import Entry, WordList
from plumbline.vocab.models.groups import Group, GroupList
from plumbline.vocab.models.names import Name, NameList
from plumbline.vocab.models.pronouns import Pronoun
from plumbline.vocab.models.templates import SentenceTemplate, TemplateList
from plumbline.vocab.models.traits import TraitList, TraitPair

__all__ = [
    "Attribute",
    "AttributeSet",
    "Entry",
    "Group",
    "GroupList",
    "Name",
    "NameList",
    "Pronoun",
    "SentenceTemplate",
    "TemplateList",
    "TraitList",
    "TraitPair",
    "WordList",
]
