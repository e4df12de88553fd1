"""How the reference of a model is written, for the forms in which people write one."""

from collections.abc import Iterator

from django.conf import settings
from django.utils.html import format_html_join

from plumbline.spec.reference import BUNDLED, Scheme


def reference_help() -> str:
    """Return a list, as HTML: each kind of model with the form of its reference, and what a page may name."""
    return f"<ul>{format_html_join('', '<li>{} <code>{}</code>. {}</li>', _kinds())}</ul>"


def folder_rule() -> str:
    """Return which folders a page may name, as sentences."""
    if not settings.MODEL_ROOTS:
        return "A folder (path:DIR) cannot be named here, because the setting MODEL_ROOTS is empty."
    roots = " or ".join(settings.MODEL_ROOTS)
    return f"Write a folder (path:DIR) as its whole path. It must lie below {roots}, as the setting MODEL_ROOTS says."


def bundled_references() -> list[str]:
    """Return the references of the bundled models."""
    return [f"{Scheme.BUNDLED}:{one}" for one in BUNDLED]


def _kinds() -> Iterator[tuple[str, str, str]]:
    """Yield what a kind of model is, the form of its reference, and what else to know."""
    operator = "" if settings.MODEL_ROOTS else " An operator lists there the folders with models."
    yield "A bundled model, to try things out:", ", ".join(bundled_references()), "They need no download."
    yield "On the Hugging Face hub:", "hub:org/name@revision", "The revision is a branch, a tag or a commit."
    yield "In a folder:", "path:DIR", f"{folder_rule()}{operator}"
    yield "Behind an OpenAI-compatible address:", "openai:BASE_URL#MODEL", hosts_rule()
    yield (
        "On a server that gives log probabilities:",
        "vllm:BASE_URL#MODEL&tokenizer=REFERENCE",
        "Or sglang: in place of vllm:. Its host needs the same permission.",
    )
    yield "A debiased variant made here:", "variant:SLUG", ""


def hosts_rule() -> str:
    """Return which hosts a page may name, as a sentence."""
    if not settings.OPENAI_HOSTS:
        return "No host can be named here, because the setting OPENAI_HOSTS is empty: an operator lists hosts there."
    return f"The setting OPENAI_HOSTS allows these hosts: {', '.join(settings.OPENAI_HOSTS)}."
