"""Make the dump of a release: `python -m tests.release.make_dump COMMIT`, by hand, from the code of that commit.

It begins with an empty installation in a temporary folder, lets people work in it (`making/story.py`), and writes
`data/release-COMMIT.sql.xz` with what must be found in it, `data/release-COMMIT.json`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).parent / "data"
CODE = ("platform", "workers", "migrations", "templates", "static", "requirements.lock")


def main(commit: str) -> None:
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    _refuse_other_code(commit)
    with _installation():
        from tests.release.making import dumping, manifest, story

        story.tell()
        DATA.mkdir(exist_ok=True)
        dumping.dump(DATA / f"release-{commit}.sql.xz")
        _write(DATA / f"release-{commit}.json", manifest.of_the_database(commit))


def _refuse_other_code(commit: str) -> None:
    """The dump says which code made it, so nothing else may have done so."""
    import plumbline
    import workers

    if subprocess.run(["git", "diff", "--quiet", commit, "--", *CODE], cwd=ROOT, check=False).returncode:
        sys.exit(f"the code differs from that of {commit}: check that commit out, with this folder beside it")
    if elsewhere := [one.__file__ for one in (plumbline, workers) if not str(one.__file__).startswith(str(ROOT))]:
        sys.exit(f"other code would make the dump: {elsewhere[0]} is not in {ROOT}")


@contextmanager
def _installation() -> Iterator[None]:
    """An embedded server of its own and Django, in a folder that is gone at the end."""
    var = Path(tempfile.mkdtemp(prefix="plumbline-release-"))
    os.environ |= {"PLUMBLINE_VAR": str(var), "CELERY_BROKER_URL": "memory://"}
    os.environ |= {"DJANGO_SETTINGS_MODULE": "plumbline.settings", "LOGNAME": "operator", "LOG_LEVEL": "ERROR"}
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.test.utils import setup_test_environment

    from plumbline import embedded

    embedded.start(var)
    try:
        django.setup()
        setup_test_environment()
        yield
    finally:
        embedded.stop(var)
        shutil.rmtree(var)


def _write(path: Path, found: dict[str, Any]) -> None:
    path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
