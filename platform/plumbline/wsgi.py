"""The web process. Starts the embedded database when no DATABASE_URL names another."""

import os

from django.core.wsgi import get_wsgi_application

from plumbline import embedded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
embedded.ensure_running_if_used()
application = get_wsgi_application()
