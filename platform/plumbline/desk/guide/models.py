"""Who dismissed the guide on the Overview."""

from django.conf import settings
from django.db import models


class GuideDismissal(models.Model):
    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="guide_dismissal")
    dismissed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "review"
        default_permissions = ()

    def __str__(self) -> str:
        return f"dismissed on {self.dismissed_at:%Y-%m-%d}"
