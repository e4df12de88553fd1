"""Twenty people who read the desk at once, on a database of 20 million records: seconds an answer, errors, memory.

    python bench/people.py [RECORDS] [SECONDS] [LOOKING]

In an installation of its own, of which nothing is left: embedded PostgreSQL, two web processes, scheduler and worker.
Each person opens page after page, of runs that a seed chooses, and looks at each for at most LOOKING
seconds, half as long on average.
"""

import os
import random
import statistics
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PEOPLE, RUNS = 20, 4
WEB_PROCESSES = 2
"""As the product starts by itself."""
PAGES = (
    "/", "/runs/", "/findings/", "/plans/", "/models/", "/inbox/", "/search/?q=term", "/sql/",
    "/runs/{run}/", "/runs/{run}/measures/", "/runs/{run}/provenance/", "/runs/{run}/findings/",
    "/runs/{run}/explorer/", "/runs/{run}/items/?group=bench+term+{word}",
    "/runs/{run}/items/?group=bench+term+{word}&attribute=bench+term+{word}", "/runs/{run}/items/?scorable=no",
)  # fmt: skip


@dataclass
class Seen:
    """What all people met: seconds of each page's answers, and answers that were none."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, page: str, seconds: float, error: str) -> None:
        with self.lock:
            self.seconds.setdefault(page, []).append(seconds)
            if error:
                self.errors.append(error)


def main(records: int, seconds: float, looking: float) -> None:
    from tests.browser.house import opened_house
    from tests.faults.conftest import pointed_at

    nobody: Any = None  # no browser: nothing is looked at
    with opened_house(nobody, WEB_PROCESSES) as house, pointed_at(house.site.var):
        began = time.monotonic()
        runs = loaded(records)
        print(f"{records:,} records in {RUNS} runs, loaded in {time.monotonic() - began:.0f} s")
        cookies = sessions(house.site.var)
        seen = Seen()
        web = next(one for one in house.site.processes if one.log.name.startswith("web"))
        memory = read(house.address, cookies, runs, seconds, looking, seen, web.popen.pid)
        tell(seen, memory)


def loaded(records: int) -> list[int]:
    """Load runs of the same plan, with their findings, and return their numbers."""
    from bench.run_page import load
    from plumbline.findings.updating import update

    runs = [load(records // RUNS) for _ in range(RUNS)]
    for run in runs:
        update(run)
    return [run.pk for run in runs]


def sessions(var: Path) -> list[str]:
    """Return a cookie for each person, who has logged in at the installation of this folder."""
    from django.test import override_settings

    from plumbline import embedded

    with override_settings(SECRET_KEY=embedded.local_secret(var)):
        return [session_of(number) for number in range(PEOPLE)]


def session_of(number: int) -> str:
    from django.contrib.auth.models import Group, User
    from django.test import Client

    person = User.objects.create_user(f"person-{number}")
    person.groups.set(Group.objects.filter(name__in=("auditor", "viewer")))
    client = Client()
    client.force_login(person)
    return "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())


def read(
    address: str, cookies: list[str], runs: list[int], seconds: float, looking: float, seen: Seen, web: int
) -> list[float]:
    """Let all people read for so long, and return the web processes' memory (MiB) at each second."""
    until = time.monotonic() + seconds
    people = [
        threading.Thread(target=person, args=(address, cookie, runs, until, looking, seen, random.Random(number)))  # noqa: S311 -- chances, no secrets
        for number, cookie in enumerate(cookies)
    ]
    for one in people:
        one.start()
    memory = []
    while time.monotonic() < until:
        memory.append(mebibytes(web))
        time.sleep(1)
    for one in people:
        one.join()
    return memory


def person(
    address: str, cookie: str, runs: list[int], until: float, looking: float, seen: Seen, chance: random.Random
) -> None:
    import requests

    session = requests.Session()
    session.headers["Cookie"] = cookie
    while time.monotonic() < until:
        page = chance.choice(PAGES)
        place = page.format(run=chance.choice(runs), word=chance.randrange(100))
        began = time.monotonic()
        try:
            answer = session.get(address + place, timeout=60, allow_redirects=False)
            error = "" if answer.status_code == 200 else f"{place}: {answer.status_code}"
        except requests.RequestException as fault:
            error = f"{place}: {fault}"
        seen.add(page, time.monotonic() - began, error)
        time.sleep(looking * chance.random())


def mebibytes(web: int) -> float:
    import psutil  # type: ignore[import-untyped]

    whole = psutil.Process(web)
    resident: int = sum(one.memory_info().rss for one in (whole, *whole.children(recursive=True)))
    return resident / 2**20


def tell(seen: Seen, memory: list[float]) -> None:
    every = [one for some in seen.seconds.values() for one in some]
    print(f"{'page':60} answers   p50   p95")
    for page, some in (*sorted(seen.seconds.items()), ("all", every)):
        print(f"{page:60} {len(some):7} {quantile(some, 50):5.2f} {quantile(some, 95):5.2f}")
    first, last = statistics.median(memory[:10]), statistics.median(memory[-10:])
    print(f"{len(seen.errors)} errors; memory of the web processes {first:.0f} MiB at first, {last:.0f} MiB at last")
    for error in seen.errors[:10]:
        print(error)


def quantile(seconds: list[float], percent: int) -> float:
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] if len(seconds) > 1 else seconds[0]


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    os.environ["CELERY_BROKER_URL"] = "memory://"
    import django

    django.setup()
    given = [int(one) for one in sys.argv[1:]]
    main(*(given + [20_000_000, 60, 10][len(given) :]))
