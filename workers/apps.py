from django.apps import AppConfig


class WorkersConfig(AppConfig):
    """An app without models: its commands are manage.py's."""

    name = "workers"
