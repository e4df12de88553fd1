"""How the reference of a model is written, for the forms in which people write one."""

from collections.abc import Iterator
from urllib.parse import quote

from django.conf import settings
from django.utils.html import format_html, format_html_join

from plumbline.audits import model_folders
from plumbline.spec.reference import BUNDLED, Scheme


def reference_help() -> str:
    """Return a list, as HTML: each kind of model with the form of its reference, and what a page may name."""
    return f"<ul>{format_html_join('', '<li>{} <code>{}</code>. {}</li>', _kinds())}</ul>"


def folder_rule() -> str:
    """Return which folders a page may name, as sentences."""
    if not settings.MODEL_ROOTS:
        return "A folder (path:DIR) cannot be named here, because the setting MODEL_ROOTS is empty."
    roots = " or ".join(settings.MODEL_ROOTS)
    return f"Write the whole path of the folder. It must lie below {roots}, as the setting MODEL_ROOTS says."


def bundled_references() -> list[str]:
    """Return the references of the bundled models."""
    return [f"{Scheme.BUNDLED}:{one}" for one in BUNDLED]


def _kinds() -> Iterator[tuple[str, str, str]]:
    """Yield what a kind of model is, the form of its reference, and what else to know."""
    operator = "" if settings.MODEL_ROOTS else " An operator lists there the folders with models."
    yield "A bundled model, to try things out:", ", ".join(bundled_references()), "They need no download."
    yield "On the Hugging Face hub:", "hub:org/name@revision", "The revision is a branch, a tag or a commit."
    yield "In a folder:", "path:DIR", format_html("{}{} {}", folder_rule(), operator, _found_there())
    yield "Behind an OpenAI-compatible address:", "openai:BASE_URL#MODEL", hosts_rule()
    yield (
        "On a server that gives log probabilities:",
        "vllm:BASE_URL#MODEL&tokenizer=REFERENCE",
        "Or sglang: in place of vllm:. Its host needs the same permission.",
    )
    yield "A debiased variant made here:", "variant:SLUG", ""


def _found_there() -> str:
    """Return links that fill the form in with the folders of models that a page may name, as HTML."""
    if not settings.MODEL_ROOTS:
        return ""
    links = format_html_join(", ", '<a class="underline" href="{}"><bdi>{}</bdi></a>', _links())
    if not links:
        return f"No model lies there yet: copy its folder into {settings.MODEL_ROOTS[0]}, then reload this page."
    return format_html("Choose one that lies there: {}.", links)


def _links() -> Iterator[tuple[str, str]]:
    for folder in model_folders.found():
        yield f"?reference={quote(f'{Scheme.PATH}:{folder}', safe='')}", model_folders.short_name(folder)


def hosts_rule() -> str:
    """Return which hosts a page may name, as a sentence."""
    if not settings.OPENAI_HOSTS:
        return "No host can be named here, because the setting OPENAI_HOSTS is empty: an operator lists hosts there."
    return f"The setting OPENAI_HOSTS allows these hosts: {', '.join(settings.OPENAI_HOSTS)}."
