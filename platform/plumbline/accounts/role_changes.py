"""The entries of changes of roles and of rights beyond roles."""

from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db.models.signals import m2m_changed, post_save, pre_save
from django.dispatch import receiver

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity

ACCOUNT_CREATED = "account created"
VERBS = {"post_add": "given", "post_remove": "withdrawn", "pre_clear": "withdrawn"}
FLAGS = {"is_active": "active", "is_superuser": "superuser", "is_staff": "staff"}


@receiver(m2m_changed, sender=User.groups.through)
def record_roles(instance: Any, action: str, reverse: bool, model: Any, pk_set: set[int] | None, **_: Any) -> None:
    """Record each role that an account gets or loses, from the account's side or from the role's."""
    if action not in VERBS:
        return
    others = _changed(instance.user_set if reverse else instance.groups, model, pk_set)
    for other in others:
        person, role = (other, instance) if reverse else (instance, other)
        record(Activity.ROLE, f"role {role.name} {VERBS[action]}", account=person.pk)


@receiver(m2m_changed, sender=User.user_permissions.through)
def record_permissions(
    instance: Any, action: str, reverse: bool, model: Any, pk_set: set[int] | None, **_: Any
) -> None:
    """Record each permission beyond the roles that an account gets or loses."""
    if action not in VERBS:
        return
    others = _changed(instance.user_set if reverse else instance.user_permissions, model, pk_set)
    for other in others:
        person, permission = (other, instance) if reverse else (instance, other)
        record(Activity.ROLE, f"permission {permission.codename} {VERBS[action]}", account=person.pk)


def _changed(manager: Any, model: type[User | Group | Permission], pk_set: set[int] | None) -> list[Any]:
    """Return the rows that are added or removed. A clear names none: it concerns all that there are."""
    return list(manager.all() if pk_set is None else model._default_manager.filter(pk__in=pk_set))


@receiver(pre_save, sender=User)
def note_flags(instance: User, **_: Any) -> None:
    """Keep the stored flags for the comparison after the save."""
    stored = User.objects.filter(pk=instance.pk).values(*FLAGS).first() if instance.pk else None
    instance.__dict__["_stored_flags"] = stored


@receiver(post_save, sender=User)
def record_flags(instance: User, created: bool, **_: Any) -> None:
    """Record a new account, and each flag that changes what an account may do."""
    if created:
        record(Activity.ROLE, ACCOUNT_CREATED, account=instance.pk)
    before = instance.__dict__.pop("_stored_flags", None) or {"is_active": True, "is_superuser": False}
    for flag, was in before.items():
        if getattr(instance, flag) != was:
            record(Activity.ROLE, f"{FLAGS[flag]}: {'yes' if not was else 'no'}", account=instance.pk)
