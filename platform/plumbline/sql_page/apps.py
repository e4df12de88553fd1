from django.apps import AppConfig


class SqlPageConfig(AppConfig):
    """The template filters of the SQL page. Its models belong to the desk."""

    name = "plumbline.sql_page"
