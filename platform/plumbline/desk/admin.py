"""Additions of the desk to the admin."""

from plumbline.audits.admin.plans import PlanAdmin
from plumbline.desk import activity_log, people  # noqa: F401 - registers the pages
from plumbline.desk.launch_warnings import significance_warning

PlanAdmin.before_launch.append(significance_warning)
