"""What people say an answer in text is, beside what the parser says."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from plumbline.audits.models import Run
from plumbline.spec.answers.classes import AnswerClass
from plumbline.vocab.models.recorded import recorded

_CLASSES = [(str(kind), str(kind)) for kind in AnswerClass]
_NAMES_OPTION = Q(answer_class=str(AnswerClass.OPTION))


@recorded
class AnswerJudgement(models.Model):
    """One person's judgement of one answer. The same class as the parser's confirms it, another one corrects it.

    The records of a run never change, so a judgement stays with its answer. `reply` and `digest` say which that was,
    also when its text is not kept any more.
    """

    CALLED: ClassVar = ("run", "item", "author_name")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="answer_judgements")
    record = models.BigIntegerField(help_text="The id of the answer's record, as in v_parsed_answer")
    item = models.TextField(help_text="The question, by its name in the bank")
    reply = models.BigIntegerField(null=True, help_text="The number of the answer, as in v_reply")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the answer's text")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    author_name = models.CharField(max_length=150, help_text="The author's name of that day")
    parser = models.CharField(max_length=50, help_text="The parser and its version")
    parser_class = models.CharField(max_length=20)
    parser_chosen = models.SmallIntegerField(null=True)
    answer_class = models.CharField(max_length=20, choices=_CLASSES)
    chosen = models.SmallIntegerField(null=True, help_text="The place of the option, from 0; empty for other classes")
    first_class = models.CharField(max_length=20, help_text="What the person said before seeing the parser's class")
    first_chosen = models.SmallIntegerField(null=True)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["id"]
        default_permissions = ("view",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "record", "author"], name="answer_judged_once_a_person"),
            models.CheckConstraint(
                condition=Q(answer_class__in=[str(kind) for kind in AnswerClass]), name="answer_class_is_known"
            ),
            models.CheckConstraint(
                condition=(_NAMES_OPTION & Q(chosen__isnull=False)) | (~_NAMES_OPTION & Q(chosen__isnull=True)),
                name="only_options_are_chosen",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.answer_class}"
