"""What reviewers say about a finding: comments, which nobody edits, and one vote for each person."""

from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.db import models

from plumbline.findings.models.findings import Finding, State
from plumbline.vocab.models.recorded import recorded


class Comment(models.Model):
    finding = models.ForeignKey(Finding, on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    author_name = models.CharField(max_length=150, help_text="The author's name of that day")
    text = models.TextField(max_length=4000)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["id"]
        default_permissions = ("view",)
        triggers: ClassVar = [pgtrigger.Protect(name="comment_stays", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.text[:60]}"


@recorded
class Vote(models.Model):
    """The state that a reviewer would give. Who sets the state of a finding votes for it by that."""

    CALLED: ClassVar = ("finding", "person_name")

    finding = models.ForeignKey(Finding, on_delete=models.CASCADE, related_name="votes")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    person_name = models.CharField(max_length=150)
    state = models.CharField(max_length=10, choices=State.choices)
    modified_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["id"]
        default_permissions = ("view",)
        constraints: ClassVar = [models.UniqueConstraint(fields=["finding", "person"], name="vote_once_a_person")]
        triggers: ClassVar = [pgtrigger.Protect(name="vote_stays", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.person_name}: {self.state}"
