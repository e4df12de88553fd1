"""The web process. It starts the embedded database unless DATABASE_URL names another."""

import os

from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise

from plumbline import embedded, logs, tracing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
embedded.ensure_running_if_used()
tracing.start("web")
_django = get_wsgi_application()
logs.configure()

from django.conf import settings  # noqa: E402 - after the settings were named

from plumbline.request_limits import in_time  # noqa: E402

application = WhiteNoise(in_time(_django), root=settings.STATIC_ROOT, prefix=settings.STATIC_URL)
