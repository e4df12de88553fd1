from django.apps import AppConfig


class PagesConfig(AppConfig):
    """The app of the parts that pages share, such as template filters. It has no models."""

    name = "plumbline.pages"
