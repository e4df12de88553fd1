from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "plumbline.audits"
    label = "audits"
    verbose_name = "Audits"

    def ready(self) -> None:
        """Connect the signals."""
        from plumbline.audits import signals  # noqa: F401
