"""The sweep writes findings, too."""

from typing import Any

from django.dispatch import receiver

from plumbline.audits.sweep import swept
from plumbline.findings import pending


@receiver(swept)
def write_findings(**_: Any) -> None:
    pending.write_due()
