"""Pages of the desk, and terms of the glossary."""

import re

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

DONE_THERE = {
    "runs": "report, export, evidence pack, sign off a run, signoff",
    "findings": "judge, confirm, dismiss, vote",
    "guide": "help, how to",
    "models": "add a model of your own",
    "plans": "new plan, schedule, launch, run again",
    "compare": "two models, before and after a mitigation",
    "admin:index": "import words, groups, names, templates, history, undo",
}
"""What people look for and do on these pages, in other words than theirs."""
OF_ACCOUNTS = {
    "people": ("People and roles", "who has an account, invite a person, change a role, a new password"),
    "admin:accounts_activityentry_changelist": ("Activity log", "who did what, and when"),
}
"""The pages of those who keep accounts."""
FILLERS = frozenset({"how", "to", "do", "i", "a", "an", "the", "where", "is", "can", "of"})
"""Words of a question that say nothing about a page, unless nothing else is asked."""
_WORD = re.compile(r"\w+")


def pages_of_accounts(text: str) -> list[Hit]:
    """Return the pages on people and what they did that the text is about."""
    found = OF_ACCOUNTS.items()
    return [Hit(title, reverse(name), shows) for name, (title, shows) in found if _holds(f"{title} {shows}", text)]


def pages(text: str) -> list[Hit]:
    """Return the pages that the text is about, then the terms of the glossary whose name holds it.

    Of each, the names that are closest to the text come first.
    """
    found = [
        Hit(title, reverse(name), shows)
        for name, (title, shows) in PAGES.items()
        if _holds(f"{title} {shows} {DONE_THERE.get(name, '')}", text)
    ]
    terms = [
        Hit(term.name, f"{reverse('glossary')}#{term.anchor}", "glossary") for term in TERMS if _holds(term.name, text)
    ]
    closest = [hit for hits in (found, terms) for hit in sorted(hits, key=lambda one: closeness_of(text, one.title))]
    return closest[: MOST_OF_A_KIND + 1]


def _holds(told: str, text: str) -> bool:
    """Return whether each word of the text begins a word of what is told, whatever its number, case and hyphens."""
    own, asked = _words(told), _words(text)
    wanted = [word for word in asked if word not in FILLERS] or asked
    return bool(wanted) and all(any(one.startswith(word) for one in own) for word in wanted)


def _words(text: str) -> list[str]:
    return [word.removesuffix("s") or word for word in _WORD.findall(text.casefold())]
