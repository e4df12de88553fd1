"""Template tags: whether the SQL page is on, and texts of several lines."""

from django import template

from plumbline.pages.visible import visible
from plumbline.sql_page import cells
from plumbline.sql_page.asking import is_ready

register = template.Library()

register.simple_tag(is_ready, name="sql_is_ready")
register.filter("cell_of", cells.shown)


@register.filter
def visible_lines(text: str) -> str:
    """Return the text with visible forms of invisible characters, except line ends and tabs."""
    return "".join(one if one in "\n\t" else visible(one) for one in text)
