"""Template tags: whether the SQL page is on, and texts of several lines."""

from django import template

from plumbline.pages.visible import visible_lines
from plumbline.sql_page import cells
from plumbline.sql_page.asking import is_ready

register = template.Library()

register.simple_tag(is_ready, name="sql_is_ready")
register.filter("cell_of", cells.shown)
register.filter("visible_lines", visible_lines)
