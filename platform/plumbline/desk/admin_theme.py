"""The theme of the admin and its sidebar: the setting UNFOLD."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy


def _to(title: str, icon: str, page: str, permission: str) -> dict[str, Any]:
    """Return a link of the sidebar for users with the permission."""
    return {"title": title, "icon": icon, "link": reverse_lazy(page), "permission": _who_has(permission)}


def _who_has(permission: str) -> Callable[[HttpRequest], bool]:
    return lambda request: request.user.has_perm(permission)


def _list(title: str, icon: str, model: str) -> dict[str, Any]:
    """Return a link to the list page of a model, given as `app_model`."""
    return _to(title, icon, f"admin:{model}_changelist", "{}.view_{}".format(*model.split("_", 1)))


# Its address is a prefix of all others, so it would always appear active.
TO_THE_DESK = {
    "title": "To the desk",
    "icon": "arrow_back",
    "link": reverse_lazy("overview"),
    "active": lambda request: False,
}
VOCABULARIES = [
    _list("Names", "badge", "vocab_namelist"),
    _list("Social groups", "groups", "vocab_grouplist"),
    _list("Traits", "contrast", "vocab_traitlist"),
    _list("Attributes", "sell", "vocab_attributeset"),
    _list("Templates", "format_quote", "vocab_templatelist"),
    _list("Pairings", "join_inner", "vocab_pairinglist"),
    _list("Ratings", "thumbs_up_down", "vocab_ratinglist"),
    _list("Question banks", "quiz", "vocab_bank"),
]
AUDITS = [
    _list("Models under audit", "neurology", "audits_modelunderaudit"),
    _list("Variants", "alt_route", "audits_variant"),
    _list("Plans", "description", "audits_plan"),
    _list("Schedules", "event_repeat", "audits_schedule"),
    _list("Launches", "rocket_launch", "audits_launch"),
    _list("Runs", "play_circle", "audits_run"),
    _list("Workers", "memory", "audits_workerprocess"),
    _list("Notices", "mail", "audits_notice"),
    _list("Rules of alerts", "rule", "alerts_ruleset"),
    _list("Webhooks", "webhook", "alerts_webhook"),
    _list("Deliveries", "outgoing_mail", "alerts_delivery"),
    _list("Conditions of sign-offs", "verified", "findings_signoffrule"),
]
LAW = [
    _list("Laws and standards", "gavel", "reports_framework"),
    _list("Points of them", "rule", "reports_provision"),
    _list("Versions in reports", "history", "reports_mappingversion"),
]
RESULTS = [
    _list("Measures", "straighten", "results_measure"),
    _list("Records", "table_rows", "results_association"),
    _list("Effect sizes", "bar_chart", "results_effect"),
    _list("Answers", "checklist", "results_choice"),
    _list("Comparisons", "compare_arrows", "audits_comparison"),
]


def _system(title: str, icon: str, model: str) -> dict[str, Any]:
    """Return a link to a technical table, for admins only."""
    link = _list(title, icon, model)
    may_see = link["permission"]
    return {**link, "permission": lambda request: request.user.has_perm("auth.change_user") and may_see(request)}


SYSTEM = [
    _system("Comparisons asked for", "difference", "audits_comparisonrequest"),
    _system("Moves in the queue", "swap_vert", "audits_queuemove"),
    _system("Maps asked for", "scatter_plot", "audits_maprequest"),
    _system("Padding texts compared", "format_align_left", "audits_paddingcomparison"),
    _system("Words tested", "rule", "audits_wordtest"),
    _system("Agreement of methods", "join_inner", "audits_methodagreement"),
    _system("Words added to runs", "add_circle", "audits_addedword"),
    _system("Snapshots", "photo_library", "audits_snapshot"),
    _system("Refused logins", "lock", "axes_accessattempt"),
]
PEOPLE = [
    _to("People and roles", "group_add", "people", "auth.change_user"),
    _list("Accounts", "person", "auth_user"),
    _list("Roles", "shield_person", "auth_group"),
    _list("Activity log", "history", "accounts_activityentry"),
]

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Plumbline",
    "SITE_HEADER": "Plumbline",
    "SITE_SUBHEADER": "Curating",
    "SITE_SYMBOL": "straighten",
    "SITE_URL": reverse_lazy("overview"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("desk/icon.svg")}],
    "STYLES": [
        lambda request: static("admin-plumbline/theme.css"),
        lambda request: static("admin-plumbline/search.css"),
    ],
    "SCRIPTS": [
        lambda request: static("admin-plumbline/autocomplete-names.js"),
        lambda request: static("admin-plumbline/search-keys.js"),
    ],
    "BORDER_RADIUS": "4px",
    # The desk's colours.
    "COLORS": {
        # The desk's greys: its paper, lines, faint and usual ink.
        "base": {
            "50": "#f6f6f4",
            "100": "#efefec",
            "200": "#d9d9d4",
            "300": "#c4c4bd",
            "400": "#a3a39b",
            "500": "#62625c",
            "600": "#50504b",
            "700": "#3a3a36",
            "800": "#2b2b28",
            "900": "#171716",
            "950": "#0f0f0e",
        },
        "primary": {
            "50": "oklch(97% .015 266)",
            "100": "oklch(94% .03 266)",
            "200": "oklch(88% .06 266)",
            "300": "oklch(80% .09 266)",
            "400": "oklch(71% .12 266)",
            "500": "oklch(60% .15 266)",
            "600": "oklch(51% .16 266)",
            "700": "oklch(45% .15 266)",
            "800": "oklch(39% .12 266)",
            "900": "oklch(34% .1 266)",
            "950": "oklch(25% .07 266)",
        },
    },
    "COMMAND": {"search_callback": "plumbline.desk.search.admin_hits.admin_hits"},
    "SIDEBAR": {
        "show_search": True,
        "command_search": True,
        "navigation": [
            {"items": [TO_THE_DESK]},
            {"title": "Vocabularies", "separator": True, "items": VOCABULARIES},
            {"title": "Audits", "separator": True, "items": AUDITS},
            {"title": "Reports", "separator": True, "collapsible": True, "items": LAW},
            {"title": "Results", "separator": True, "collapsible": True, "items": RESULTS},
            {"title": "People", "separator": True, "collapsible": True, "items": PEOPLE},
            {"title": "System", "separator": True, "collapsible": True, "items": SYSTEM},
        ],
    },
}
