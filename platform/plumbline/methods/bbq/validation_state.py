"""Whether people have validated the templates of a BBQ run, by the present texts of its banks."""

from collections.abc import Mapping

from plumbline.annotation.template_texts import banks_with_templates, texts
from plumbline.annotation.validation import State, states_of
from plumbline.audits.models import Run


def validated(run: Run, category: str) -> Mapping[str, State]:
    """Return the state by template of a category, without those whose bank is gone or stood in the spec itself."""
    sources = run.spec.get("bank") or []
    slugs = {source.get("list") for source in (sources if isinstance(sources, list) else [sources])}
    found: dict[str, State] = {}
    for bank in banks_with_templates().filter(slug__in=slugs - {None}).order_by("slug"):
        states = states_of(bank, texts(bank, category))
        found |= {template: state for (_, template), state in states.items()}
    return found
