"""The spans of a run: one for each piece, by its phase."""

import pytest

from plumbline import tracing
from tests.collector import attributes, collecting
from tests.workers.execution.conftest import Audit


@pytest.mark.django_db
def test_each_piece_of_a_run_is_a_span(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address)
        tracing.start("worker")
        run = audit().run
        tracing.stop()
    assert run is not None
    pieces = [(span.name, attributes(span).get("plumbline.shard")) for span in collector.spans]
    shards = list(run.shards.order_by("number").values_list("number", flat=True))
    assert pieces == [("planning", None), *(("scoring", number) for number in shards), ("summary", None), *pieces[-1:]]
    assert {attributes(span)["plumbline.run"] for span in collector.spans} == {run.pk}
