"""Who may see the explorer and the items, and how these may be asked."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from tests.plumbline.analyses.explorer.conftest import WARM, WOMEN

PAGES = ["explorer", "explorer_data", "explorer_csv", "cell", "items"]


def address(name: str, run: Run) -> str:
    return f"{reverse(name, args=[run.pk])}?group={WOMEN}&attribute={WARM}"


@pytest.mark.parametrize("name", PAGES)
def test_a_stranger_is_sent_to_the_login(name: str, run: Run, client: Client) -> None:
    assert client.get(address(name, run)).headers["Location"].startswith("/login/?next=")


@pytest.mark.parametrize("name", PAGES)
def test_an_account_without_a_role_is_refused(name: str, run: Run, client: Client) -> None:
    client.force_login(User.objects.create_user("nobody"))
    assert client.get(address(name, run)).status_code == 403


@pytest.mark.parametrize("name", PAGES)
def test_a_viewer_may_read_and_nothing_else(name: str, run: Run, viewer: Client) -> None:
    assert viewer.get(address(name, run)).status_code == 200
    assert viewer.post(address(name, run)).status_code == 405


@pytest.mark.parametrize("name", PAGES)
def test_a_run_that_does_not_exist_is_not_found(name: str, viewer: Client) -> None:
    assert viewer.get(reverse(name, args=[999])).status_code == 404


@pytest.mark.parametrize("name", ["explorer", "items"])
def test_pages_run_no_inline_script_and_set_no_inline_style(name: str, run: Run, viewer: Client) -> None:
    answer = viewer.get(address(name, run))
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    page = answer.content.decode()
    assert " style=" not in page
    assert "onclick" not in page
