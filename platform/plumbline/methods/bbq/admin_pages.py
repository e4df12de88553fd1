"""BBQ's pages in the admin: banks from a curator's own templates, and proposals of names and jobs."""

from collections.abc import Mapping

from plumbline.methods.bbq.admin.name_proposals import WithBbqNames
from plumbline.methods.bbq.admin.own_templates import WithOwnTemplates
from plumbline.vocab.admin.method_pages import AdminPages
from plumbline.vocab.models import Bank, NameList

ADMIN_PAGES: Mapping[str, AdminPages] = {
    "bbq_templates": AdminPages(Bank, WithOwnTemplates),
    "bbq_names": AdminPages(NameList, WithBbqNames),
}
