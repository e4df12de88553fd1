from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "plumbline.results"
    label = "results"
    verbose_name = "Results"

    def ready(self) -> None:
        from plumbline.results import checks, signals  # noqa: F401 - registers the system checks, connects the signal
