"""Buttons next to the title of a page of the admin."""

from django.http import HttpResponse
from unfold.enums import ActionVariant


def with_buttons(shown: HttpResponse, place: str, links: list[tuple[str, str, str]]) -> HttpResponse:
    """Return the page with these links: title, icon and address each. A response that is no page stays as it is.

    `place`: `actions_list` of a page of all, `actions_detail` of the page of one.
    """
    context = getattr(shown, "context_data", None)
    if context is not None:
        # As the skin's templates want them.
        fixed = {"attrs": {}, "variant": ActionVariant.DEFAULT, "dialog": None}
        buttons = ({"title": title, "icon": icon, "path": page, **fixed} for title, icon, page in links)
        context[place] = [*context.get(place, ()), *buttons]
    return shown
