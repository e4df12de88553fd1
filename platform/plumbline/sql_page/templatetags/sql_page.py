"""Whether the SQL page is on, for the navigation, and how it shows texts of several lines."""

from django import template

from plumbline.pages.visible import visible
from plumbline.sql_page import cells
from plumbline.sql_page.asking import is_ready

register = template.Library()

register.simple_tag(is_ready, name="sql_is_ready")
register.filter("cell_of", cells.shown)


@register.filter
def visible_lines(text: str) -> str:
    """The text with each invisible character written out, but for line ends and tabs."""
    return "".join(one if one in "\n\t" else visible(one) for one in text)
