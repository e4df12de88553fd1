"""Settings from the environment. Importing this module starts nothing."""

from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import django_stubs_ext
import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from plumbline import broker, embedded, embedded_reader, logs, proxies
from plumbline.desk import admin_theme

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()


def _folders(name: str) -> list[Path]:
    """Return the shared folder `name`, then those of the rooms that are no apps. Django finds those of the apps."""
    here = Path(__file__).resolve().parent
    rooms = (here.glob(f"{room}/{name}") for room in ("analyses/*", "annotation", "methods/*"))
    return [BASE_DIR / name, *sorted(chain.from_iterable(rooms))]


# Makes admin classes and querysets generic at run time, as the type checker needs.
django_stubs_ext.monkeypatch()

VAR_DIR = embedded.used_var_dir()
DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or embedded.local_secret(VAR_DIR)
# This machine is always allowed, for health checks.
ALLOWED_HOSTS: list[str] = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1", "[::1]"]

# Trusted proxies, as addresses or networks. Their X-Forwarded-For and (by gunicorn.conf.py) X-Forwarded-Proto headers
# are believed. Without any, no such header is.
TRUSTED_PROXIES = proxies.networks(env.list("TRUSTED_PROXIES", default=[]))
# Set if a proxy terminates TLS.
HTTPS = env.bool("HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 3600) if HTTPS else 0
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# Subdomains and preload lists concern the whole domain, of which we are one host.
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
    # Django uses the first of two commands with one name: the workers' `bank` extends vocab's.
    "workers",
    # Of allauth only the storage and the functions of second factors, and its client for OpenID Connect; its own pages
    # have no address here, and its tables of accounts at providers stay empty.
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "plumbline.accounts",
    "plumbline.vocab",
    "plumbline.audits",
    "plumbline.results",
    "plumbline.findings",
    "plumbline.alerts",
    "plumbline.pages",
    "plumbline.sql_page",
    "plumbline.reports",
    "plumbline.api",
    "plumbline.desk.apps.DeskConfig",
]
MIDDLEWARE = [
    "plumbline.metrics.traced_requests.TracedRequests",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "plumbline.api.responses.ApiResponses",
    "plumbline.request_limits.LimitedBodies",
    "plumbline.storable_text.StorableText",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "plumbline.caching.NoStore",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "plumbline.vocab.authors.HistoryMiddleware",
    "plumbline.accounts.exports.RecordedExports",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "plumbline.desk.accounts.required_factor.RequiredSecondFactor",
    "axes.middleware.AxesMiddleware",
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "overview"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "plumbline.accounts.password_login.PasswordsOfSuperusers",
    "django.contrib.auth.backends.ModelBackend",
]
# Single sign-on by OpenID Connect, where issuer, client id and secret are set. Only where the operator says so does a
# sign-in make accounts without a role, or count as a second factor.
SSO_ISSUER = env.str("SSO_ISSUER", "")
SSO_CLIENT_ID = env.str("SSO_CLIENT_ID", "")
SSO_CLIENT_SECRET = env.str("SSO_CLIENT_SECRET", "")
SSO_NAME = env.str("SSO_NAME", "") or "single sign-on"
SSO_MAKES_ACCOUNTS = env.bool("SSO_MAKES_ACCOUNTS", False)
SSO_COUNTS_AS_SECOND_FACTOR = env.bool("SSO_COUNTS_AS_SECOND_FACTOR", False)
# Whether people log in with passwords. Superusers always do.
PASSWORD_LOGIN = env.bool("PASSWORD_LOGIN", True)
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
# Five wrong passwords for a name from an address lock that pair for 15 minutes, and so many from an address over all
# names lock the address.
WRONG_PASSWORDS_PER_ADDRESS = env.int("WRONG_PASSWORDS_PER_ADDRESS", 30)
AXES_HANDLER = "plumbline.desk.login_limits.AddressHandler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "plumbline.desk.login_limits.site_address"
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = True
# Whether nobody reaches anything without a second factor.
REQUIRE_SECOND_FACTOR = env.bool("REQUIRE_SECOND_FACTOR", False)
MFA_ADAPTER = "plumbline.accounts.second_factor_adapter.EncryptedSecrets"
MFA_TOTP_ISSUER = "Plumbline"
# allauth accepts the code before and after the present one, for clocks that differ by up to half a minute.
MFA_TOTP_TOLERANCE = 1
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
# Detect lost connections, so that a server that returned is used at once and a dead one blocks nobody.
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    **DATABASES["default"].get("OPTIONS", {}),
}
# An address that names its host after the "?" names it for `manage.py dbshell`, too, which reads these two alone.
for _part in {"host", "port"} & DATABASES["default"]["OPTIONS"].keys():
    DATABASES["default"][_part.upper()] = DATABASES["default"]["OPTIONS"].pop(_part)
# The login of the SQL page, which may only read the views, and the time limit of a query in seconds.
READER_DATABASE_URL = env.str("READER_DATABASE_URL", "") or embedded_reader.address(VAR_DIR)
SQL_TIMEOUT = env.float("SQL_TIMEOUT", 10.0)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

STATIC_URL = "/static/"
STATICFILES_DIRS = _folders("static")
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
UNFOLD = admin_theme.UNFOLD
# The history of words needs the order of changes within a transaction, too.
PGHISTORY_CREATED_AT_FUNCTION = "clock_timestamp()"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = ["plumbline.desk.formats"]
LOGGING = logs.for_commands()

# Folders with models that web users may name as path:DIR. Empty: none.
MODEL_ROOTS: list[str] = env.list("MODEL_ROOTS", default=[str(embedded.own_models(VAR_DIR))])

# The folder of model variants and training checkpoints, which the web process and all workers share.
MODEL_STORE = Path(env.str("MODEL_STORE", "") or VAR_DIR / "store")

# The private key (Ed25519, PEM) that signs evidence packs: a file, or the text of one. Neither: packs are not signed.
EVIDENCE_KEY_FILE = env.str("EVIDENCE_KEY_FILE", "")
EVIDENCE_KEY = env.str("EVIDENCE_KEY", "", multiline=True)

# Hosts of endpoints and servers that web users may name in a reference. Runs send their texts there. Empty: none.
OPENAI_HOSTS: list[str] = env.list("OPENAI_HOSTS", default=[])

# The days for which whole answers in text are kept. 0: as long as their run.
MONTHLY_BUDGET: float | None = env.float("MONTHLY_BUDGET") if env.str("MONTHLY_BUDGET", "") else None
REPLIES_DAYS = env.int("REPLIES_DAYS", 0)

# Internal hosts that webhooks may reach, as HOST or HOST:PORT. Public hosts need no entry.
WEBHOOK_HOSTS: list[str] = env.list("WEBHOOK_HOSTS", default=[])

# The mail server for notices of schedules. Unset: notices are stored with that reason and not sent.
globals().update(env.email_url_config(env.str("EMAIL_URL", "") or "dummymail://"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", "plumbline@localhost")

# The days for which the link of an invitation is valid. A link to a new password is valid for one day.
INVITATION_DAYS = env.int("INVITATION_DAYS", 7)
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60

# The seconds for which the rest of a refused body is discarded before the connection is closed, and the time limit for
# each 64 kB of any other body.
DRAIN_SECONDS = env.float("DRAIN_SECONDS", 30.0)

# Seconds until the lease of a silent worker ends. Workers renew leases four times in this period.
LEASE_SECONDS = env.float("LEASE_SECONDS", 40.0)
# Seconds for which a worker keeps its model and its run, before it looks for others of the same priority that wait.
TURN_SECONDS = env.float("TURN_SECONDS", 10.0)
# The most requests of an API token in a minute.
API_REQUESTS_PER_MINUTE = env.int("API_REQUESTS_PER_MINUTE", 300)
# The most requests that all workers together have in flight at one server. 0: as many as one worker would send alone.
SERVER_REQUESTS = max(0, env.int("SERVER_REQUESTS", 0))
# The number of workers on this machine, which share its cores.
WORKERS = env.int("WORKERS", 1)
# Seconds between rounds of the scheduler.
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
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # redeclares a queue that was deleted before it was read
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BEAT_SCHEDULER = "plumbline.audits.timekeeping:Timekeeper"
CELERY_BEAT_SCHEDULE = {
    name: {"task": f"plumbline.audits.tasks.{name}", "schedule": TICK_SECONDS} for name in ("tick", "sweep")
}
