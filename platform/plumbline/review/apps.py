from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class SiteConfig(AdminConfig):
    default_site = "plumbline.review.site.Site"


class ReviewConfig(AppConfig):
    name = "plumbline.review"
    label = "review"
    verbose_name = "Review desk"

    def ready(self) -> None:
        from plumbline.review.roles import write_roles

        # The last of our apps: by now every other's permissions are there.
        post_migrate.connect(write_roles, sender=self)
