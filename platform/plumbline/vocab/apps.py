from django.apps import AppConfig


class VocabConfig(AppConfig):
    name = "plumbline.vocab"
    label = "vocab"
    verbose_name = "Vocabularies"
