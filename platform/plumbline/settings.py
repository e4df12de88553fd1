"""Settings, from the environment. Importing this module starts nothing."""

from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import django_stubs_ext
import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from plumbline import broker, embedded, logs, proxies
from plumbline.desk import skin

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()


def _folders(name: str) -> list[Path]:
    """Return the shared folder `name`, then those of the rooms that are no apps. Django finds those of the apps."""
    here = Path(__file__).resolve().parent
    rooms = (here.glob(f"{room}/{name}") for room in ("analyses/*", "annotation", "methods/*"))
    return [BASE_DIR / name, *sorted(chain.from_iterable(rooms))]


# Lets admin classes and querysets name their model in annotations, as the type checker asks.
django_stubs_ext.monkeypatch()

VAR_DIR = embedded.used_var_dir()
DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or embedded.local_secret(VAR_DIR)
# This machine itself may always ask: health checks do.
ALLOWED_HOSTS: list[str] = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1", "[::1]"]

# Proxies in front of us, addresses or networks: whom they say they were asked by (X-Forwarded-For), and over TLS or not
# (X-Forwarded-Proto, by gunicorn.conf.py), is believed. None: nobody's word is.
TRUSTED_PROXIES = proxies.networks(env.list("TRUSTED_PROXIES", default=[]))
# Set where a proxy ends TLS in front of us.
HTTPS = env.bool("HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 3600) if HTTPS else 0
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# Subdomains and browsers' preload lists concern a whole domain, of which we are one host.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "plumbline.desk.apps.SiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "axes",
    "csp",
    "pgtrigger",
    "pghistory",
    # Of two commands of one name Django takes that of the first: the workers' `bank` has actions besides vocab's.
    "workers",
    "plumbline.vocab",
    "plumbline.audits",
    "plumbline.results",
    "plumbline.pages",
    "plumbline.sql_page",
    "plumbline.desk.apps.DeskConfig",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "plumbline.bodies.LimitedBodies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "plumbline.vocab.authors.HistoryMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "overview"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
# Guessing: five wrong passwords for a name from an address lock that pair for a quarter of an hour.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = proxies.client_address
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
ROOT_URLCONF = "plumbline.urls"
WSGI_APPLICATION = "plumbline.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": _folders("templates"),
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASE_URL = env.str("DATABASE_URL", "") or embedded.database_url(VAR_DIR)
if not DATABASE_URL.startswith(("postgres://", "postgresql://")):
    raise ImproperlyConfigured(
        "DATABASE_URL must name a PostgreSQL server: postgres://USER:PASSWORD@HOST:PORT/DATABASE"
    )
DATABASES = {"default": env.db_url_config(DATABASE_URL)}
# A server that came back is believed at once, and one that is gone for good holds nobody up.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    **DATABASES["default"].get("OPTIONS", {}),
}
# The login that may read the views and nothing else, for the SQL page; a question may take so many seconds there.
READER_DATABASE_URL = env.str("READER_DATABASE_URL", "")
SQL_TIMEOUT = env.float("SQL_TIMEOUT", 10.0)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = _folders("static")
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
UNFOLD = skin.UNFOLD
# The history of words tells in which order things changed, within one transaction too.
PGHISTORY_CREATED_AT_FUNCTION = "clock_timestamp()"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
LOGGING = logs.for_commands()

# Below these folders lie the models that people may name in the web as path:DIR. None: no folder.
MODEL_ROOTS: list[str] = env.list("MODEL_ROOTS", default=[])

# Hosts whose endpoints people may name in the web as openai:URL#MODEL; such a run sends its texts there. None: no host.
OPENAI_HOSTS: list[str] = env.list("OPENAI_HOSTS", default=[])

# Notices of schedules. Unset: none is sent, and each says so.
globals().update(env.email_url_config(env.str("EMAIL_URL", "") or "dummymail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", "plumbline@localhost")

# For how many seconds what still comes of a refused body is thrown away, before the connection is ended; and how long
# the next 64 kB of any other body may take.
DRAIN_SECONDS = env.float("DRAIN_SECONDS", 30.0)

# Leases: how long a worker may be silent before its work is another's; it renews them four times as often.
LEASE_SECONDS = env.float("LEASE_SECONDS", 40.0)
# Workers of this machine: they share its cores.
WORKERS = env.int("WORKERS", 1)
# How often due schedules and lost messages are looked for.
TICK_SECONDS = env.float("TICK_SECONDS", 5.0)

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "") or broker.url(DATABASES["default"])
CELERY_BROKER_TRANSPORT_OPTIONS = broker.options(CELERY_BROKER_URL)
CELERY_IMPORTS = ["plumbline.audits.tasks", "workers.tasks"]
CELERY_TASK_DEFAULT_QUEUE = "gpu"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.0, "interval_step": 0.2, "interval_max": 0.2}
CELERY_WORKER_CONSUMER = "plumbline.celery:PatientConsumer"
CELERY_WORKER_CONCURRENCY = 1
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 120.0  # the child loads torch first
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # a queue that is deleted just before it is read is declared anew
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BEAT_SCHEDULER = "plumbline.audits.timekeeping:Timekeeper"
CELERY_BEAT_SCHEDULE = {
    name: {"task": f"plumbline.audits.tasks.{name}", "schedule": TICK_SECONDS} for name in ("tick", "sweep")
}
