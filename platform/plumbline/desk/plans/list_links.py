"""The addresses of the pages of a plan's lists."""

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.desk.plans.contents import PlanList
from plumbline.vocab import content


def list_page(shown: PlanList, user: User | AnonymousUser) -> str:
    """Return the address of a list of a plan, or "" if there is no such list or the person may not see it."""
    if not shown.slug or shown.fault:
        return ""
    found = content.find(KIND_OF_FIELD[shown.field], shown.slug)
    name = found._meta.model_name
    return reverse(f"admin:vocab_{name}_change", args=[found.pk]) if user.has_perm(f"vocab.view_{name}") else ""
