"""Everything that the search looks through, in the order in which it is shown."""

from plumbline.desk.search import audits, words
from plumbline.desk.search.hits import Source
from plumbline.desk.search.pages import pages, pages_of_accounts
from plumbline.pages.roles import SEE

SOURCES = (
    Source("Findings", SEE, audits.findings),
    Source("Runs", SEE, audits.runs, audits.all_runs),
    Source("Plans", SEE, audits.plans),
    Source("Schedules", "audits.view_schedule", audits.schedules),
    Source("Models", SEE, audits.models, audits.all_models),
    Source("Words", "vocab.view_name", words.words),
    Source("Lists", "vocab.view_namelist", words.lists),
    Source("Pages", SEE, pages),
    Source("Accounts", "auth.change_user", pages_of_accounts),
)
