from django.apps import AppConfig


class PagesConfig(AppConfig):
    """What all pages share: filters for templates; it has no models."""

    name = "plumbline.pages"
