"""Import with preview, and export: additional pages of each kind of list."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import content_disposition_header, urlencode
from django.views.decorators.http import require_http_methods, require_safe

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab import pending_uploads
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.exchange_forms import ExportForm, UploadForm
from plumbline.vocab.admin.import_pages import WithImports, import_address
from plumbline.vocab.exporting import DOWNLOADS, export_bytes
from plumbline.vocab.faults import FaultyFileError, named
from plumbline.vocab.file_columns import column_notes, example
from plumbline.vocab.import_notices import import_notices
from plumbline.vocab.import_records import write_import
from plumbline.vocab.importing import Aim, compare_sheet, slugs_of
from plumbline.vocab.kinds import Kind
from plumbline.vocab.listing import state
from plumbline.vocab.locking import lock
from plumbline.vocab.models import Import
from plumbline.vocab.pending_uploads import Upload
from plumbline.vocab.previewing import MOST_SHOWN, preview
from plumbline.vocab.reading import read
from plumbline.vocab.replacing import Change, Difference
from plumbline.vocab.sheet import Sheet

CHANGED = "Somebody changed the list meanwhile, or you chose another file: nothing was imported. Look at it again."


class ChangedMeanwhile(InputError):  # noqa: N818 -- says what happened
    """An error: the preview that somebody confirmed is not what an import would do now."""

    def __init__(self) -> None:
        super().__init__(CHANGED)


def address(kind: Kind, page: str, **asked: str) -> str:
    """Return the address of a kind's page `import`, `preview` or `export`."""
    found = reverse(f"admin:vocab_{kind.list_model._meta.model_name}_{page}")
    return f"{found}?{urlencode(asked)}" if asked else found


def may_import(request: HttpRequest, kind: Kind, *actions: str) -> bool:
    """Return whether the person may add and change lists and entries of the kind, and do these actions on entries."""
    models = (kind.list_model._meta.model_name, kind.entry_model._meta.model_name)
    needed = [f"vocab.{action}_{model}" for action in ("add", "change") for model in models]
    return request.user.has_perms([*needed, *(f"vocab.{action}_{models[1]}" for action in actions)])


class WithExchangeLinks(admin.ModelAdmin[Any]):
    """An admin with buttons that lead to the import and the export of a kind."""

    kind: Kind

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return self._with_links(super().changelist_view(request, extra_context), "actions_list", request)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        shown = super().changeform_view(request, object_id, form_url, extra_context)
        return self._with_links(shown, "actions_detail", request) if object_id else shown

    def _with_links(self, shown: HttpResponse, place: str, request: HttpRequest) -> HttpResponse:
        original = (getattr(shown, "context_data", None) or {}).get("original")
        of_list = {"list": original.slug} if isinstance(original, self.kind.list_model) else {}
        links = [("Export", "download", address(self.kind, "export", **of_list))]
        if may_import(request, self.kind):
            links.insert(0, ("Import", "upload", address(self.kind, "import", **of_list)))
        return with_buttons(shown, place, links)


class WithExchange(WithImports, WithExchangeLinks):
    """The admin of a kind's lists, with their import and export."""

    def get_urls(self) -> list[Any]:
        views = {
            "import": ("import/", self.import_view),
            "preview": ("import/preview/", self.preview_view),
            "export": ("export/", self.export_view),
        }
        model = self.kind.list_model._meta.model_name
        return [
            *(
                path(at, self.admin_site.admin_view(view), name=f"vocab_{model}_{page}")
                for page, (at, view) in views.items()
            ),
            *super().get_urls(),
        ]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Show the form. A good file leads to its preview, a bad one is shown with all its faults."""
        self._check(request)
        form = UploadForm(
            self.kind,
            may_import(request, self.kind, "delete"),
            request.POST or None,
            request.FILES or None,
            initial={"word_list": request.GET.get("list", "")},
        )
        faults: list[str] = []
        if request.method == "POST" and form.is_valid():
            upload = form.upload()
            try:
                _compare(self.kind, upload)
            except InputError as error:
                faults = error.lines() if isinstance(error, FaultyFileError) else [str(error)]
            else:
                pending_uploads.keep(request, self.kind.name, upload)
                return HttpResponseRedirect(address(self.kind, "preview"))
        found = example(self.kind, request.GET.get("list", ""))
        return self._page(
            request,
            "import",
            f"Import {self.kind.name}",
            form=form,
            faults=faults,
            column_notes=column_notes(self.kind),
            example=found,
            example_url=address(self.kind, "export", list=found.word_list.slug, format="csv") if found else "",
        )

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """Show what the kept file would change. A POST request imports it."""
        self._check(request)
        held = pending_uploads.pending(request, self.kind.name)
        if held is None:
            messages.warning(request, "No file waits for its import. A file is kept for an hour: choose it again.")
            return HttpResponseRedirect(address(self.kind, "import"))
        key, upload = held
        if not upload.update and not may_import(request, self.kind, "delete"):
            raise PermissionDenied
        try:
            if request.method == "POST":
                changes, record = _import(self.kind, key, upload, request.POST.get("seen", ""))
                return self._done(request, changes, record)
            sheet, differences = _compare(self.kind, upload)
        except ChangedMeanwhile as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(address(self.kind, "preview"))
        except InputError as error:
            messages.error(request, f"Nothing was imported. {error}")
            return HttpResponseRedirect(address(self.kind, "import"))
        previews = [preview(difference) for difference in differences]
        return self._page(
            request,
            "import_preview",
            f"Import {self.kind.name}: preview",
            upload=upload,
            notices=[*sheet.notices, *import_notices(differences)],
            previews=previews,
            skipped=[row for difference in differences for row in difference.skipped],
            is_nothing=all(one.is_nothing for one in previews),
            seen=_preview_digest(self.kind, key, sheet, upload),
            most_shown=MOST_SHOWN,
        )

    @method_decorator(require_safe)
    def export_view(self, request: HttpRequest) -> HttpResponse:
        """Show the form; with a format in the address, return the file."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        asked = "format" in request.GET
        form = ExportForm(self.kind, request.GET if asked else None, initial=request.GET.dict())
        if asked and form.is_valid():
            slug = form.cleaned_data["list"].slug if form.cleaned_data["list"] else ""
            ending = form.cleaned_data["format"]
            try:
                return _file(
                    export_bytes(self.kind, ending, slug), f"{slug or self.kind.name}.{ending}", DOWNLOADS[ending]
                )
            except InputError as error:
                form.add_error(None, str(error))
        return self._page(request, "export", f"Export {self.kind.name}", form=form)

    def _check(self, request: HttpRequest) -> None:
        if not may_import(request, self.kind):
            raise PermissionDenied

    def _page(self, request: HttpRequest, name: str, title: str, **context: Any) -> HttpResponse:
        everywhere = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.model._meta,
            "kind": self.kind,
            "import_url": address(self.kind, "import"),
            "lists_url": reverse(f"admin:vocab_{self.model._meta.model_name}_changelist"),
        }
        return TemplateResponse(request, f"admin/vocab/{name}.html", {**everywhere, **context})

    def _done(self, request: HttpRequest, changes: list[Change], record: Import | None) -> HttpResponse:
        pending_uploads.drop(request, self.kind.name)
        for change in changes:
            messages.success(request, f"Imported {change}.")
        lists = reverse(f"admin:vocab_{self.model._meta.model_name}_changelist")
        return HttpResponseRedirect(import_address(self.kind, record) if record else lists)


def _file(data: bytes, name: str, media_type: str) -> HttpResponse:
    headers = {"Content-Disposition": content_disposition_header(True, name) or "attachment"}
    return HttpResponse(data, content_type=media_type, headers=headers)


def _read(kind: Kind, upload: Upload) -> tuple[Sheet, Aim]:
    metadata = {"title": upload.title} if upload.title else {}
    return read(kind, upload.name, upload.data), Aim(upload.slug, metadata, upload.update, upload.skip_duplicates)


def _compare(kind: Kind, upload: Upload) -> tuple[Sheet, list[Difference]]:
    sheet, aim = _read(kind, upload)
    with named(upload.name):
        return sheet, compare_sheet(kind, sheet, aim)


def _preview_digest(kind: Kind, key: str, sheet: Sheet, upload: Upload) -> str:
    """Return the digest of the inputs of a preview: the kept file and the current lists."""
    return digest([key, state(kind, slugs_of(sheet, Aim(upload.slug)))])


def _import(kind: Kind, key: str, upload: Upload, seen: str) -> tuple[list[Change], Import | None]:
    """Import what the preview showed. Raises ChangedMeanwhile if the result would differ by now."""
    sheet, aim = _read(kind, upload)
    try:
        with transaction.atomic():
            lock(kind, slug__in=slugs_of(sheet, aim))
            if seen != _preview_digest(kind, key, sheet, upload):
                raise ChangedMeanwhile
            differences = compare_sheet(kind, sheet, aim)
            return write_import(kind, upload.name, differences, [*sheet.notices, *import_notices(differences)])
    except IntegrityError:
        # Somebody made the same list, or added the same word, in this very moment.
        raise ChangedMeanwhile from None
