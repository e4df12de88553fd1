"""The admin's pages of variants: cards that nobody edits, and a removal that says what rests on it."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits import variants
from plumbline.audits.models import Run, Variant
from plumbline.spec.variant import Part, Text, VariantCard

pytestmark = pytest.mark.django_db

MEASURED = {"accuracy": 0.93, "majority": 0.5, "n": 600}
CARD = VariantCard(
    slug="fair",
    method="leace",
    parent="bundled:masked-demo",
    parent_digest="0" * 64,
    digest="1" * 64,
    lists=[Part(kind="attributes", slug="counterparts-gender", sha256="2" * 64)],
    text=Text(name="reviews.txt", sha256="3" * 64, sentences=3000),
    params={"most": 1500},
    found={"before": MEASURED, "after": {**MEASURED, "accuracy": 0.51}},
)


@pytest.fixture
def variant(tmp_path: Path, settings: Any) -> Variant:
    settings.MODEL_STORE = tmp_path
    (tmp_path / "variants" / "fair").mkdir(parents=True)
    return variants.enter(CARD, "bundled:masked-demo")


def test_the_page_shows_the_card_and_the_runs(admin_client: Client, variant: Variant) -> None:
    Run.objects.create(name="a", probe="ilps", model="variant:fair", spec={})
    page = admin_client.get(reverse("admin:audits_variant_change", args=[variant.pk])).content.decode()
    for told in ("variant:fair", "counterparts-gender", "reviews.txt, 3,000 sentences used", ">1 run</a>", "most 1500"):
        assert told in page
    assert "93% before, 51% after (by chance 50%, 600 sentences)" in page


def test_removing_a_variant_asks_first_and_lists_the_runs_that_use_it(admin_client: Client, variant: Variant) -> None:
    Run.objects.create(name="a", probe="ilps", model="variant:fair", spec={})
    page = admin_client.get(reverse("admin:audits_variant_delete", args=[variant.pk])).content.decode()
    assert "The files of variant:fair; its card stays, and its 1 run" in page
    variant.refresh_from_db()
    assert variant.removed_at is None


def test_removing_keeps_card_and_runs_and_takes_the_files(
    admin_client: Client, variant: Variant, tmp_path: Path
) -> None:
    Run.objects.create(name="a", probe="ilps", model="variant:fair", spec={})
    admin_client.post(reverse("admin:audits_variant_delete", args=[variant.pk]), {"post": "yes"})
    variant.refresh_from_db()
    assert variant.removed_at is not None
    assert variant.removed_by is not None
    assert not (tmp_path / "variants" / "fair").exists()
    assert Run.objects.count() == 1


def test_one_that_another_is_made_of_is_protected(admin_client: Client, variant: Variant, tmp_path: Path) -> None:
    variants.enter(CARD.model_copy(update={"slug": "fairer", "parent": "variant:fair"}), "variant:fair")
    admin_client.post(reverse("admin:audits_variant_delete", args=[variant.pk]), {"post": "yes"})
    variant.refresh_from_db()
    assert variant.removed_at is None


def test_nobody_edits_or_adds_a_card(admin_client: Client, variant: Variant) -> None:
    assert admin_client.get(reverse("admin:audits_variant_add")).status_code == 403
    admin_client.post(reverse("admin:audits_variant_change", args=[variant.pk]), {"slug": "other"})
    variant.refresh_from_db()
    assert variant.slug == "fair"


def test_the_page_of_a_trained_variant_shows_its_loss_and_what_was_swapped(admin_client: Client) -> None:
    found = {
        "loss": {"before": 3.25, "after": 3.125, "tokens": 5120, "passages": 99},
        "swapped": {"she": {"he": 1204}, "her": {"his": 310}},
        "ambiguous": {"her": 310},
    }
    trained = CARD.model_copy(update={"slug": "trained", "method": "cda", "found": found})
    made = variants.enter(trained, "bundled:masked-demo")
    page = admin_client.get(reverse("admin:audits_variant_change", args=[made.pk])).content.decode()
    for told in (
        "3.250 before, 3.125 after (5,120 tokens)",
        "she -&gt; he 1,204, her -&gt; his 310; ambiguous: her 310",
        "3,000 passages used",
    ):
        assert told in page
