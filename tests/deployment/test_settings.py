"""What a deployment sets, as Django's own check and a browser see it."""

import json

import pytest

from tests.processes import forked

ASK = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "plumbline.settings"
sys.path.insert(0, "platform")
import django; django.setup()
from django.test import Client
client, request = Client(SERVER_NAME="localhost"), json.loads(sys.argv[1])
answers = {path: client.get(path, **request) for path in ("/health/", "/admin/login/")}
print(json.dumps({path: [answer.status_code, dict(answer.headers)] for path, answer in answers.items()}))
"""
AWAY = "postgres://nobody:secret@127.0.0.1:1/nothing"


@pytest.fixture
def deployed(environment: dict[str, str]) -> dict[str, str]:
    proxied = {"HTTPS": "1", "TRUSTED_PROXIES": "10.0.0.5"}
    return environment | proxied | {"SECRET_KEY": "0123456789" * 5 + "abcde", "DATABASE_URL": AWAY}


def answers(environment: dict[str, str], **request: str) -> dict[str, tuple[int, dict[str, str]]]:
    asked = forked.run("-c", ASK, json.dumps(request), env=environment)
    asked.check_returncode()
    found: dict[str, tuple[int, dict[str, str]]] = json.loads(asked.stdout)
    return found


def test_the_deployment_check_finds_nothing_but_the_missing_reader(deployed: dict[str, str]) -> None:
    checked = forked.run("manage.py", "check", "--deploy", env=deployed)
    assert checked.returncode == 0, checked.stderr
    assert "identified 1 issue" in checked.stderr
    assert "results.W001" in checked.stderr


def test_under_https_a_plain_request_is_sent_there_but_the_health_check_is_answered(deployed: dict[str, str]) -> None:
    plain = answers(deployed)
    assert plain["/admin/login/"][0] == 301
    assert plain["/admin/login/"][1]["Location"].startswith("https://")
    assert plain["/health/"][0] == 503
    _, headers = answers(deployed, **{"wsgi.url_scheme": "https"})["/admin/login/"]
    assert headers["Strict-Transport-Security"] == "max-age=3600"


def test_a_proxy_that_is_no_address_is_reported_in_one_line(deployed: dict[str, str]) -> None:
    checked = forked.run("manage.py", "check", env=deployed | {"TRUSTED_PROXIES": "proxy.example.org"})
    assert checked.returncode != 0
    assert "TRUSTED_PROXIES: 'proxy.example.org' does not appear to be" in checked.stderr


def test_a_laptop_needs_no_https(environment: dict[str, str]) -> None:
    status, headers = answers(environment | {"DATABASE_URL": AWAY})["/admin/login/"]
    assert status == 200
    assert "Strict-Transport-Security" not in headers
