"""The admin of accounts, roles and refused logins."""

from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from axes import admin as axes
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm


class PersonAdmin(UserAdmin, ModelAdmin):  # type: ignore[type-arg] # not generic at run time
    """The admin of accounts. Roles give their permissions."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "first_name", "last_name", "roles", "is_active", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Roles and rights", {"fields": ("is_active", "groups", "is_superuser", "user_permissions")}),
    )
    filter_horizontal = ()  # Django's two boxes are wider than the page, and have no names for screen readers

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        people: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        return people

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Make permissions beyond the roles read-only, except for superusers."""
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, "is_superuser", "user_permissions")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return may_touch(request, obj) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return may_touch(request, obj) and super().has_delete_permission(request, obj)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Say of roles what they do, without the word groups."""
        if db_field.name == "groups":
            options["help_text"] = "An account has the permissions of all of its roles."
        return super().formfield_for_manytomany(db_field, request, **options)

    @admin.display
    def roles(self, person: User) -> str:
        return ", ".join(group.name for group in person.groups.all()) or ("all" if person.is_superuser else "none")


def may_touch(request: HttpRequest, person: User | None) -> bool:
    """Return whether the user may change this account.

    Only superusers may change a superuser's account and password.
    """
    return person is None or not person.is_superuser or bool(request.user.is_superuser)


class RoleAdmin(GroupAdmin, ModelAdmin):
    """The admin of roles in the admin's theme."""

    filter_horizontal = ()


class AttemptAdmin(axes.AccessAttemptAdmin, ModelAdmin):
    """The admin of refused logins in the admin's theme."""


class LoginAdmin(axes.AccessLogAdmin, ModelAdmin):
    """The admin of logins in the admin's theme."""


class FailureAdmin(axes.AccessFailureLogAdmin, ModelAdmin):
    """The admin of login failures in the admin's theme."""


# Social groups are something else. Migrations do not see these names: they read what the class was made with.
Group._meta.verbose_name, Group._meta.verbose_name_plural = "role", "roles"
User._meta.get_field("groups").verbose_name = "roles"

for _model in (Authenticator, EmailAddress, EmailConfirmation, SocialAccount, SocialApp, SocialToken):
    # allauth's own pages would show secrets; the page People and roles shows who has a second factor.
    if admin.site.is_registered(_model):
        admin.site.unregister(_model)
for _model, _page in {
    User: PersonAdmin,
    Group: RoleAdmin,
    AccessAttempt: AttemptAdmin,
    AccessLog: LoginAdmin,
    AccessFailureLog: FailureAdmin,
}.items():
    admin.site.unregister(_model)
    admin.site.register(_model, _page)
