"""Coins, gems and medals: the rules, applied to made-up answers."""

from __future__ import annotations

import json

import pytest

from idg.coordinator.players.earnings import ROOMS_MAX, KnownTallies
from idg.coordinator.players.scores import (
    COINS_A_LOOP,
    MEDALS,
    NOTHING_EARNED,
    TRACE_GEM_EXPRESSIONS,
    Holdings,
    ScoreTotal,
    Tally,
    across_versions,
    score,
    total,
)
from idg.coordinator.pool.computing.calls import Summary
from idg.coordinator.rooms.judging.questions import Answered
from idg.coordinator.rooms.room_state import NewMarks, first_state, read_state
from idg.engine.results import Fact, Kind
from idg.engine.wire.answers import JudgedFact, StatesRuledOut
from idg.engine.wire.codec import encode
from idg.engine.wire.events import OwnedFact, ProgramSolved
from idg.engine.wire.rooms import Score


def verdict(
    expression: str, kind: str = "inductive", bits: int = 0, states: int = 8, loop: int = 1, patterns: tuple[str, ...] = ()
) -> Summary:
    rules_out = (StatesRuledOut(loop, states, f"{bits:x}", patterns),) if kind in ("inductive", "potential") else ()
    return Summary((JudgedFact(loop, expression, Kind(kind)),), False, (), rules_out=rules_out)


def test_coins_are_for_states_that_nothing_ruled_out_before() -> None:
    tally = Tally()
    tally.judged("ann", verdict("a", bits=0b0000_1111), "code")
    assert score("ann", [tally]).coins == COINS_A_LOOP // 2
    tally.judged("ann", verdict("b", bits=0b0001_1110), "code")
    assert score("ann", [tally]).coins == 63  # five of eight, rounded up
    tally.judged("ann", verdict("c", bits=0b0000_0110), "code")
    assert score("ann", [tally]).coins == 63


def test_whoever_has_the_same_has_earned_nothing() -> None:
    tally = Tally()
    same = 0
    for number in range(40):
        before = tally.copy()
        tally.judged(
            "ann" if number % 3 else "bob", verdict(f"f{number % 9}", bits=1 << (number % 4), patterns=(f"p{number % 5}",)), "code"
        )
        for player in ("ann", "bob", "eve"):
            earned = Holdings(player, [tally]).earned_since(Holdings(player, [before]))
            if before.same_for(player, tally):
                same += 1
                assert earned == NOTHING_EARNED
            else:
                assert player == ("ann" if number % 3 else "bob")
    assert 40 < same < 120
    tally.hinted("ann", 5)
    assert not before.same_for("ann", tally)


def test_a_level_whose_program_has_changed_keeps_what_was_earned() -> None:
    """The score of one of the two programs was lost."""
    old, new = Score(80, 5, True, ("no-hint",)), Score(40, 1, False, ("fewest-invariants",))
    assert across_versions(old, new) == across_versions(new, old) == Score(80, 6, True, ("fewest-invariants", "no-hint"))


@pytest.mark.parametrize("kind", ["non-invariant", "type-tautology", "displaced", "displaced-potential", "unknown"])
def test_only_accepted_ones_earn(kind: str) -> None:
    tally = Tally()
    tally.judged("ann", verdict("a", kind, bits=0b1111), "code")
    assert encode(score("ann", [tally])) == {"coins": 0, "gem": False, "medals": [], "spent": 0}
    assert tally.proposals == 1


def test_a_chain_of_bounds_earns_what_the_strongest_does() -> None:
    chain, alone = Tally(), Tally()
    for bound in range(1, 8):
        chain.judged("ann", verdict(f"i <= {9 - bound}", bits=(1 << bound) - 1), "code")
    alone.judged("ann", verdict("i <= 2", bits=(1 << 7) - 1), "code")
    assert score("ann", [chain]).coins == score("ann", [alone]).coins


def test_states_count_for_who_ruled_them_out_first_and_once_in_all_rooms() -> None:
    shared, solo = Tally(), Tally()
    shared.judged("ann", verdict("a", bits=0b0011), "code")
    shared.judged("bob", verdict("b", bits=0b0111), "code")
    assert (score("ann", [shared]).coins, score("bob", [shared]).coins) == (25, 13)
    shared.reset()
    shared.judged("ann", verdict("a", bits=0b0011), "code")
    assert score("ann", [shared]).coins == 25
    solo.judged("ann", verdict("a", bits=0b1011), "code")
    assert score("ann", [shared, solo]).coins == 38
    assert score("eve", [shared, solo]).coins == 0


def test_a_pattern_that_is_new_in_the_level_earns_double_once() -> None:
    """Power-ups paid nothing."""
    tally = Tally()

    def coins(expression: str, bits: int, *patterns: str) -> tuple[int, int, tuple[str, ...]]:
        before = Holdings("ann", [tally])
        tally.judged("ann", verdict(expression, bits=bits, states=100, patterns=patterns), "code")
        earned = Holdings("ann", [tally]).earned_since(before)
        return earned.coins, earned.doubled, earned.patterns

    assert coins("a", 0b0, "limit") == (0, 0, ())  # Who earns nothing has not used it up.
    assert coins("b", 0b11, "limit") == (4, 2, ("limit",))
    assert coins("c", 0b1111, "limit") == (2, 0, ())
    assert coins("d", 0b1111, "product") == (0, 0, ())
    assert coins("e", 0b1_1111, "kept-sum", "product") == (2, 1, ("kept-sum",))
    assert coins("f", 0b11_1111, "product") == (1, 0, ())
    assert coins("g", 0b111_1111) == (1, 0, ())
    assert score("ann", [tally]).patterns == ("product", "kept-sum", "limit")
    tally.reset()
    assert coins("b", 0b11, "limit") == (0, 0, ())
    assert Tally(json.loads(json.dumps(tally.as_json()))).as_json() == tally.as_json() == tally.copy().as_json()


def test_a_pattern_pays_once_over_all_rooms_and_never_more_than_double() -> None:
    rooms = [Tally() for _ in range(4)]
    rooms[0].judged("ann", verdict("a", bits=0b11, states=100, patterns=("limit",)), "code")
    rooms[1].judged("ann", verdict("b", bits=0b111, states=100, patterns=("limit",)), "code")
    rooms[2].judged("ann", verdict("c", bits=0b111, states=100, patterns=("product",)), "code")
    rooms[3].judged("bob", verdict("d", bits=0b1111, states=100, patterns=("square",)), "code")
    assert score("ann", rooms[:1]).coins == 4
    assert score("ann", rooms[:2]).coins == 6  # In another room a pattern can do better, but it is not counted twice.
    assert score("ann", rooms) == score("ann", rooms[::-1])
    assert score("ann", rooms).coins == 6
    # However the rooms are counted, one after the other, what is told adds up.
    for order in (rooms, rooms[::-1], [rooms[2], rooms[0], rooms[3], rooms[1]]):
        told, holdings = 0, Holdings("ann")
        for number, room in enumerate(order):
            earned = holdings.with_room(room, str(number)).earned_since(holdings)
            assert 0 <= earned.doubled <= earned.coins
            assert bool(earned.patterns) == bool(earned.doubled)
            told += earned.coins
            holdings = holdings.with_room(room, str(number))
        assert told == score("ann", rooms).coins


def test_loops_have_samples_of_their_own() -> None:
    tally = Tally()
    tally.judged("ann", verdict("a", bits=0b11, states=2), "code")
    tally.judged("ann", verdict("a", bits=0b1, states=4, loop=2), "code")
    assert score("ann", [tally]).coins == 125
    tally.judged("ann", verdict("a", bits=0, states=0, loop=3), "code")
    assert score("ann", [tally]).coins == 125


def test_medals() -> None:
    def solved(proposals: int, invariants: int, hints: int = 0, imported: bool = False, par: int | None = 2) -> tuple[str, ...]:
        tally = Tally()
        tally.imported = imported
        for number in range(proposals):
            tally.judged("ann", verdict(f"a{number}"), "code")
        for _ in range(hints):
            tally.hinted("ann", 10)
        tally.proved(["ann"], invariants, par)
        return score("ann", [tally]).medals

    assert solved(2, 2) == MEDALS
    assert solved(3, 2) == ("fewest-invariants", "no-hint")
    assert solved(3, 3) == ("no-hint",)
    assert solved(2, 2, hints=1) == ("fewest-invariants", "fewest-proposals")
    assert solved(2, 2, imported=True) == ("fewest-invariants",)
    assert solved(2, 2, par=None) == ("no-hint",)


def test_a_batch_counts_each_of_its_proposals() -> None:
    tally = Tally()
    kinds = (JudgedFact(1, "a", Kind.INDUCTIVE), JudgedFact(1, "b", Kind.DISPLACED))
    tally.judged("ann", Summary(kinds, False, ()), "code")
    assert (tally.proposals, tally.parts["ann"].expressions) == (2, ["1: a"])


def test_what_a_batch_removes_again_is_not_accepted() -> None:
    tally = Tally()
    kinds = tuple(JudgedFact(1, f"{number} = {number}", Kind.INDUCTIVE) for number in range(TRACE_GEM_EXPRESSIONS))
    tally.judged("ann", Summary(kinds, False, (), removed=(Fact(1, "1 = 1"),)), "trace")
    assert len(tally.parts["ann"].expressions) == TRACE_GEM_EXPRESSIONS - 1
    assert not score("ann", [tally]).gem


def test_the_gem_is_for_proof_and_in_the_trace_game_for_expressions() -> None:
    code, trace = Tally(), Tally()
    for number in range(TRACE_GEM_EXPRESSIONS + 3):
        for tally, variant in ((code, "code"), (trace, "trace")):
            tally.judged("ann", verdict(f"a{number % (TRACE_GEM_EXPRESSIONS - 1)}", "potential"), variant)
    assert not score("ann", [trace]).gem  # some were the same
    trace.judged("ann", verdict("another", "potential"), "trace")
    assert score("ann", [trace]).gem
    assert not score("ann", [code]).gem
    code.proved(["ann", "bob"], 1, None)
    assert score("bob", [code]).gem


def test_hints_cost_coins_and_the_total_sums_up() -> None:
    first, second = Tally(), Tally()
    first.judged("ann", verdict("a", bits=0xFF), "code")
    first.hinted("ann", 30)
    second.proved(["ann"], 1, 1)
    totals = total([score("ann", [first]), score("ann", [second])])
    assert totals == ScoreTotal(70, 1, 3)


def test_a_tally_survives_its_text() -> None:
    tally = Tally()
    tally.judged("ann", verdict("a", bits=0b101), "code")
    tally.hinted("bob", 5)
    tally.proved(["ann"], 1, 1)
    again = Tally(json.loads(json.dumps(tally.as_json())))
    assert again.as_json() == tally.as_json()
    assert score("ann", [again]) == score("ann", [tally])


def test_a_copy_of_a_tally_is_equal_and_apart() -> None:
    tally = Tally()
    tally.imported = True
    tally.judged("ann", verdict("a", bits=0b101), "code")
    tally.hinted("ann", 5)
    tally.proved(["ann"], 1, 1)
    before = json.dumps(tally.as_json())
    copied = tally.copy()
    assert copied.as_json() == tally.as_json()
    assert vars(copied.parts["ann"]) == vars(tally.parts["ann"])
    copied.judged("ann", verdict("b", bits=0b010), "code")
    copied.proved(["bob"], 1, 1)
    copied.hinted("ann", 5)
    copied.reset()
    assert json.dumps(tally.as_json()) == before


def test_holdings_with_one_more_room_are_the_score_of_all_rooms() -> None:
    tallies = [Tally() for _ in range(3)]
    for number, tally in enumerate(tallies):
        tally.judged("ann", verdict(f"a{number}", bits=0b11 << number), "code")
        tally.hinted("ann", number)
    tallies[0].proved(["ann"], 1, 1)
    holdings = Holdings("ann", tallies[:2])
    for last in (tallies[2], Tally(), tallies[2]):  # What is tried is not counted.
        assert holdings.with_room(last, "last").score() == score("ann", [*tallies[:2], last])
    assert holdings.score() == score("ann", tallies[:2])


# The states of rooms

START = Answered("{}", '{"loops":[{"inductive":[],"potential":[]}]}', '{"solved":false}', "d0")


def answered(kind: str, solved: bool = False, inductive: tuple[str, ...] = (), changed: bool = True) -> Answered:
    facts = tuple(Fact(1, expression) for expression in inductive)
    summary = Summary((JudgedFact(1, "a", Kind(kind)),), solved, facts, changed=changed)
    books = json.dumps({"loops": [{"inductive": list(inductive), "potential": []}]}, separators=(",", ":"))
    return Answered("{}", books, '{"solved":true}' if solved else '{"solved":false}', "d1", summary)


def test_a_room_is_solved_once_a_sitting() -> None:
    first = first_state(START)
    second, outcome = first.after("ann", answered("inductive", solved=True, inductive=("a",)), "code", 1)
    assert outcome == NewMarks(ProgramSolved(("ann",), (Fact(1, "a"),)), None)
    assert second.solved
    assert not first.solved
    _, again = second.after("ann", answered("displaced", solved=True, inductive=("a",), changed=False), "code", 1)
    assert again == NewMarks(None, None)
    fresh = second.reset(START)
    assert (fresh.solved, fresh.authors, fresh.digest) == (False, {}, "d0")
    assert score("ann", [fresh.tally]).gem
    _, outcome = fresh.after("bob", answered("inductive", solved=True, inductive=("a",)), "code", 1)
    assert outcome.solved is not None


def test_authors_are_who_proposed_first_and_have_a_part_in_the_proof() -> None:
    state, _ = first_state(START).after("ann", answered("potential"), "code", 1)
    state, _ = state.after("bob", answered("displaced", changed=False), "code", 1)
    assert state.authors == {"1: a": "ann"}
    _, outcome = state.after("bob", answered("inductive", solved=True, inductive=("a",)), "code", 1)
    assert outcome.solved is not None
    assert outcome.solved.credited == ("ann", "bob")


def test_what_changes_nothing_keeps_the_books() -> None:
    first = first_state(START)
    second, _ = first.after("ann", answered("non-invariant", changed=False), "code", 1)
    assert (second.books, second.digest, second.authors) == (first.books, first.digest, {})
    assert second.tally.proposals == 1


def test_a_room_state_survives_its_text() -> None:
    state, _ = first_state(START).after("ann", answered("inductive", solved=True, inductive=("a",)), "code", 1)
    again = read_state(state.text())
    assert again.text() == state.text()
    assert again.inductive() == (OwnedFact(1, "a", "ann"),)


# In rooms


def test_tallies_that_are_remembered_count_as_they_grow() -> None:
    """The tallies of a player's rooms were counted when they were read, and not what was played after that."""
    known = KnownTallies({"one": (1, Tally())})
    empty = known.bytes
    assert empty == Tally().bytes
    grown = Tally()
    grown.part("ann").expressions.append("n = x * y")
    known.put("two", 1, grown)
    assert known.bytes == empty + grown.bytes
    known.put("one", 2, grown)
    assert known.bytes == 2 * grown.bytes
    known.put("two", 0, Tally())
    assert known.rooms["two"] == (1, grown), "an older tally is passed over"
    assert known.bytes == 2 * grown.bytes
    assert known.until > 0
    for room in range(ROOMS_MAX):
        known.put(str(room), 1, grown)
    assert known.until == 0, "the store tells which rooms are the newest"
