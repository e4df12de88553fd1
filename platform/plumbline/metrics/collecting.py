"""The metrics of a scrape, with their names and meanings."""

import time
from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from plumbline.metrics import figures
from plumbline.metrics.deliveries import CHANNELS
from plumbline.metrics.figures import Counts


class OperationCollector(Collector):
    """Read all figures. They are gauges: a deletion of runs makes sums smaller."""

    def collect(self) -> Iterator[Metric]:
        began = time.perf_counter()
        yield _by("plumbline_runs", "Runs by state", "state", figures.runs_by_state())
        yield _by("plumbline_queue_depth", "Runs that wait for a worker", "priority", figures.queue_by_priority())
        yield _one(
            "plumbline_oldest_waiting_run_seconds",
            "Age of the oldest run that no worker has begun; 0: none waits",
            figures.oldest_waiting_seconds(),
        )
        yield _by("plumbline_shards", "Shards of unfinished runs by state", "state", figures.shards_by_state())
        yield _one(
            "plumbline_records_per_second",
            "Records of the shards that were done in the last five minutes, a second",
            figures.records_per_second(),
        )
        yield _by(
            "plumbline_leases_lost",
            "How often work was begun again, since its lease was lost or the attempt failed",
            "work",
            figures.begun_again(),
        )
        yield _one("plumbline_leases_overdue", "Ended leases whose work nobody took over", figures.overdue_leases())
        yield _by("plumbline_workers_alive", "Workers with a heartbeat by state", "state", figures.workers_by_state())
        yield _one("plumbline_schedulers_alive", "Schedulers with a heartbeat", figures.schedulers_alive())
        yield _deliveries()
        yield _one("plumbline_scrape_seconds", "Seconds that this scrape took", time.perf_counter() - began)


def _one(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)


def _by(name: str, meaning: str, label: str, counts: Counts) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, count in counts.items():
        family.add_metric([value], count)
    return family


def _deliveries() -> Metric:
    family = GaugeMetricFamily(
        "plumbline_deliveries", "Messages that wait or were given up", labels=["channel", "state"]
    )
    for channel, counts in CHANNELS.items():
        for state, count in counts().items():
            family.add_metric([channel, state], count)
    return family
