from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class SiteConfig(AdminConfig):
    default_site = "plumbline.desk.site.Site"


class DeskConfig(AppConfig):
    """The desk keeps the label that its tables, permissions and migrations were made with."""

    name = "plumbline.desk"
    label = "review"
    verbose_name = "Review desk"

    def ready(self) -> None:
        from plumbline.pages.roles import write_roles

        # The last of our apps: by now every other's permissions are there.
        post_migrate.connect(write_roles, sender=self)
