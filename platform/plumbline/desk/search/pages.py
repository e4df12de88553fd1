"""Pages of the desk, and terms of the glossary."""

from django.urls import reverse

from plumbline.desk.search.closeness import closeness_of
from plumbline.desk.search.hits import MOST_OF_A_KIND, Hit
from plumbline.pages.glossary import TERMS

PAGES = {
    "overview": ("Overview", "what is new, what runs, what is due"),
    "runs": ("Runs", "all audits, with their state"),
    "queue": ("Queue", "the order in which workers take runs"),
    "findings": ("Findings", "what was found, and what people decided about it"),
    "guide": ("Guide", "how to read a finding, and what to do next"),
    "inbox": ("Inbox", "rules that runs broke"),
    "models": ("Models", "models under audit, with their last runs"),
    "plans": ("Plans", "audits that can be launched again"),
    "compare": ("Compare", "two runs, paired item by item"),
    "annotation": ("Annotation", "tasks in which people judge"),
    "sql": ("SQL", "queries over all results"),
    "api_reference": ("API", "the operations that programs use"),
    "tokens": ("API tokens", "what programs send to be let in"),
    "law": ("Laws and standards", "what reports cover of laws and standards"),
    "admin:index": ("Curating", "word lists, what changed lately, and what waits for curators"),
    "glossary": ("Glossary", "the terms of these pages"),
}
"""Each page that a person can open from anywhere: its title, and what it shows."""


def pages(text: str) -> list[Hit]:
    """Return the pages whose title or description holds the text, then the terms of the glossary whose name does.

    Of each, the names that are closest to the text come first.
    """
    wanted = text.lower()
    found = [
        Hit(title, reverse(name), shows)
        for name, (title, shows) in PAGES.items()
        if wanted in title.lower() or wanted in shows
    ]
    terms = [
        Hit(term.name, f"{reverse('glossary')}#{term.anchor}", "glossary")
        for term in TERMS
        if wanted in term.name.lower()
    ]
    closest = [hit for hits in (found, terms) for hit in sorted(hits, key=lambda one: closeness_of(text, one.title))]
    return closest[: MOST_OF_A_KIND + 1]
