"""The health check: whether this process can do its work, for supervisors and load balancers.

Our own instead of django-health-check: that answers 500 where 503 is meant, names the server's address in its body,
answers 200 whatever fails when asked for a feed, and asks the host's name of a DNS server.
"""

import structlog
from django.contrib.auth.decorators import login_not_required
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = structlog.get_logger(__name__)


@login_not_required
@never_cache
@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """200 when the database answers, else 503. Why it does not stands in the log only: anyone may ask here."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        logger.warning("database does not answer", error=" ".join(str(error).split()))
        return JsonResponse({"status": "database does not answer"}, status=503)
    return JsonResponse({"status": "ok"})
