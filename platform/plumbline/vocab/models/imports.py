"""Imports as acts: what a file brought into lists, and whether it was undone or redone."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Import(models.Model):
    """One import of a file, or the undo of one. The undo of an undo brings the import back.

    Events with the same context hold the rows. The context also names the author.
    """

    kind = models.CharField(max_length=20)
    file = models.CharField(max_length=500)
    context = models.UUIDField(db_index=True)
    lists = ArrayField(models.BigIntegerField(), help_text="The lists that it changed")
    slugs = ArrayField(models.CharField(max_length=100))
    added = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()
    removed = models.PositiveIntegerField()
    skipped = ArrayField(models.TextField(), default=list, help_text="Duplicate rows that were left out")
    notices = ArrayField(models.TextField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["kind", "-id"], name="imports_of_kind")]

    def __str__(self) -> str:
        return f"{'undo' if self.undoes_id else 'import'} of {self.file}"

    def chain(self) -> list["Import"]:
        """Return the import, its undo, the undo of that, and so on."""
        found = [self]
        while (after := Import.objects.filter(undoes=found[-1]).first()) is not None:
            found.append(after)
        return found
