"""The door of the admin."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse


@pytest.mark.django_db
def test_an_account_without_a_role_reads_so_and_is_not_sent_to_the_login() -> None:
    client = Client()
    client.force_login(User.objects.create(username="nobody"))
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.status_code == 403
    assert "an account without a role" in answer.content.decode()


@pytest.mark.django_db
def test_the_admins_login_is_the_desks_page_with_its_strict_policy(client: Client) -> None:
    policy = client.get(reverse("admin:login"))["Content-Security-Policy"]
    assert "unsafe" not in policy
