"""The sweep judges runs by the rules, and delivers alerts, too."""

from typing import Any

from django.dispatch import receiver

from plumbline.alerts import raising
from plumbline.alerts.webhooks import delivering
from plumbline.audits.sweep import swept


@receiver(swept)
def judge_and_deliver(**_: Any) -> None:
    raising.judge_due()
    delivering.deliver_in_background()
