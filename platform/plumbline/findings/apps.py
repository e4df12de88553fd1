from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.db.models.signals import post_migrate


class FindingsConfig(AppConfig):
    name = "plumbline.findings"
    label = "findings"
    verbose_name = "Findings"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__startswith="view_"),
        "reviewer": Q(codename__in=["judge_finding", "sign_off"]),
        "admin": Q(),
    }
    """The permissions on this app's models, by role."""
    names_of_people: ClassVar[dict[str, dict[str, str]]] = {
        "Finding": {"pinned_by": "pinned_name", "judged_by": "judged_name"},
        "Comment": {"author": "author_name"},
        "Vote": {"person": "person_name"},
        "AnswerJudgement": {"author": "author_name"},
        "SignOff": {"signed_by": "signed_name", "withdrawn_by": "withdrawn_name"},
    }
    """The columns with the name of the person of another column, for people who leave."""
    decisions_of_people: ClassVar[dict[str, str]] = {"SignOff": "findings"}
    """The columns with findings as a sign-off keeps them, with the people who decided about them."""

    def ready(self) -> None:
        """Connect with the sweep, with deletions of runs, and with migrations, after which missing rules are stored."""
        from plumbline.audits.keeping import DATED_KEEPERS, KEEPERS, PLAN_KEEPERS
        from plumbline.findings import (
            judgement_retention,
            signals,  # noqa: F401
        )
        from plumbline.findings.sign_off.baselines import kept_because
        from plumbline.findings.sign_off.rules import store_defaults

        KEEPERS.append(kept_because)
        DATED_KEEPERS.append(judgement_retention.kept_because)
        PLAN_KEEPERS.append(judgement_retention.plan_kept_because)
        post_migrate.connect(store_defaults, sender=self)
