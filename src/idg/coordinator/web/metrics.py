"""The figures that Prometheus reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

Reading = tuple[str, str, dict[str, float]]
"""A figure: its name, its explanation, and its value for each label `which`. Names that end in _total are counters."""


COUNTERS_KEPT = 1_000
"""How many counters are found without a search; more than there are pairs of a route and a status."""
ANSWER_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
"""The upper ends of the classes into which the times of answers are sorted. Known answers take a few milliseconds; the default
deadline of an analysis is 20 seconds."""


class _Readings(Collector):
    """Asks for the figures each time that Prometheus does."""

    def __init__(self, read: Callable[[], Iterable[Reading]]) -> None:
        self.read = read

    def collect(self) -> Iterable[Metric]:
        for name, text, values in self.read():
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            metric = family(name, text, labels=["which"])
            for label, value in values.items():
                metric.add_metric([label], value)
            yield metric

    def describe(self) -> Iterable[Metric]:
        return []


class Metrics:
    def __init__(self, read: Callable[[], Iterable[Reading]]) -> None:
        self.registry = CollectorRegistry()
        self.registry.register(_Readings(read))
        self._requests = Counter("idg_requests", "Requests answered", ["method", "route", "status"], registry=self.registry)
        self._seconds = Histogram(
            "idg_request_seconds", "Time to answer a request", ["route"], registry=self.registry, buckets=ANSWER_SECONDS
        )

        # prometheus_client looks a counter up under a lock. There are few, because methods and routes are those that exist.
        self._counter = lru_cache(COUNTERS_KEPT)(self._requests.labels)
        self._histogram = lru_cache(COUNTERS_KEPT)(self._seconds.labels)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._counter(method, route, status).inc()
        self._histogram(route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)
