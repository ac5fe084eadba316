"""The model of capacity in bench/servers/simulation.py agrees with what queueing theory says where theory has an answer."""

from __future__ import annotations

import pytest

from bench.servers.simulation import (
    BUSY_MAX,
    Costs,
    Demand,
    Plan,
    simulate,
    smallest_plan,
    utilisation,
    without_engine,
    work_a_second,
)

NOTHING = Costs(0, 0, 0, 0, 0, 0, 0, 0, (0.0,))
SOME = Costs(0.001, 0.003, 0.00003, 0.0004, 0.0012, 0.001, 0.0003, 0.0015, (0.005, 0.02, 0.05))


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_one_queue_waits_as_long_as_theory_says(load: float) -> None:
    """With random arrivals and a constant service time s, one waits load * s / (2 * (1 - load)) (Pollaczek and Khinchine)."""
    service = 0.01
    costs = Costs(0, 0, 0, service, 0, 0, 0, 0, (0.0,))
    outcome = simulate(costs, Demand(load / service, known_share=1.0), Plan(), seconds=400)
    mean = sum(outcome.known) / len(outcome.known)
    assert mean - service == pytest.approx(load * service / (2 * (1 - load)), rel=0.12)


def test_parts_are_as_busy_as_the_arithmetic_says() -> None:
    demand = Demand(200, known_share=0.8)
    plan = smallest_plan(SOME, demand, database_cores=4)
    outcome = simulate(SOME, demand, plan, seconds=60)
    for part, share in utilisation(SOME, demand, plan).items():
        assert outcome.busy[part] == pytest.approx(share, rel=0.06), part


@pytest.mark.parametrize("rate", [1, 50, 1_000, 80_000])
def test_the_smallest_plan_is_enough_and_not_too_much(rate: float) -> None:
    demand = Demand(rate, known_share=0.9)
    plan = smallest_plan(SOME, demand, database_cores=1)
    work = work_a_second(SOME, demand)
    for part, servers in plan.servers().items():
        assert work[part] / servers <= BUSY_MAX
        assert servers == 1 or work[part] / (servers - 1) > BUSY_MAX


def test_too_few_servers_are_seen_as_a_backlog() -> None:
    """What cannot be done is not forgotten: the proposals that wait are counted."""
    outcome = simulate(SOME, Demand(100, known_share=0.0), Plan(slots=1), seconds=30)
    assert utilisation(SOME, Demand(100, known_share=0.0), Plan(slots=1))["slots"] > 1
    assert outcome.backlog > 500
    assert outcome.busy["slots"] == pytest.approx(1.0, abs=0.02)
    relieved = simulate(without_engine(SOME), Demand(100, known_share=0.0), Plan(slots=1), seconds=30)
    assert relieved.backlog < 10


def test_shared_cores_are_shared() -> None:
    """On one machine, the generator of the load takes time from the server."""
    alone = simulate(SOME, Demand(300, known_share=1.0), Plan(cores=2), seconds=20)
    crowded = simulate(
        Costs(0.001, 0.003, 0.00003, 0.0004, 0.0012, 0.001, 0.0003, 0.0015, (0.005,), generator=0.003),
        Demand(300, known_share=1.0),
        Plan(cores=1),
        seconds=20,
    )
    assert crowded.backlog > 10 * (alone.backlog + 1)


def test_the_same_seed_gives_the_same_times() -> None:
    demand = Demand(100, known_share=0.5)
    first, second, other = (simulate(SOME, demand, Plan(), seconds=5, seed=seed) for seed in (1, 1, 2))
    assert first == second != other


def test_an_empty_system_takes_just_what_its_parts_take() -> None:
    outcome = simulate(SOME, Demand(0.5, known_share=1.0, sockets_a_room=0.0), Plan(), seconds=2_000)
    assert outcome.median("known") == pytest.approx(SOME.loop_known + SOME.database_known + SOME.commit)
    assert not simulate(NOTHING, Demand(5, known_share=1.0), Plan(), seconds=20).p99("known")
