"""The health check for supervisors and load balancers.

Reasons against django-health-check: it answers 500 instead of 503, shows the server's address, answers 200 to feed
requests whatever fails, and asks a DNS server for the host name.
"""

import structlog
from django.contrib.auth.decorators import login_not_required
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline import embedded

logger = structlog.get_logger(__name__)


@login_not_required
@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers, else 503 with the remedy.

    The error is only logged, since anyone may ask.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        remedy = embedded.remedy()
        logger.warning("database does not answer", error=" ".join(str(error).split()), remedy=remedy)
        return JsonResponse({"status": "database does not answer", "remedy": remedy.partition(": see ")[0]}, status=503)
    return JsonResponse({"status": "ok"})
