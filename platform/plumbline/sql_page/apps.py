from django.apps import AppConfig


class SqlPageConfig(AppConfig):
    """The SQL page's filters for templates; its models are the desk's."""

    name = "plumbline.sql_page"
