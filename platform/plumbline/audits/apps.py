from django.apps import AppConfig


class AuditsConfig(AppConfig):
    name = "plumbline.audits"
    label = "audits"
    verbose_name = "Audits"
