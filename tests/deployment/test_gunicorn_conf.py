"""What a web process does before its first page."""

from tests.processes import forked

ASK = """
import gc, os, runpy
os.environ["DJANGO_SETTINGS_MODULE"] = "plumbline.settings"
import plumbline.wsgi
configuration = runpy.run_path("gunicorn.conf.py")
before = len(gc.get_objects())
configuration["post_worker_init"](None)
print(before, len(gc.get_objects()))
"""


def test_the_garbage_collector_passes_over_what_is_loaded(environment: dict[str, str]) -> None:
    asked = forked.run("-c", ASK, env=environment)
    asked.check_returncode()
    before, after = map(int, asked.stdout.splitlines()[-1].split())
    assert before > 20_000
    assert after < 2_000
