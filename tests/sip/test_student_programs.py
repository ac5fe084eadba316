"""The programs with arrays that students write: whatever their runs reach, their contracts and their invariants hold there."""

from __future__ import annotations

from collections import Counter

import pytest

from idg.sip.syntax import Type
from idg.sip.text.formatter import format_program
from tests.support.programs.student_programs import StudentProgram, inputs_to_try, student_programs
from tests.support.volume import volume

RUNS = volume(60, 3_000)
"""Short inputs of each program, and as many that are drawn."""
STUDENTS = pytest.mark.parametrize("student", student_programs(), ids=lambda student: student.name)


@STUDENTS
def test_invariants_hold_in_runs(student: StudentProgram) -> None:
    ended: Counter[str] = Counter()
    for inputs in inputs_to_try(student.given, 0, RUNS):
        run = student.given.run(inputs, record=False)
        assert run.outcome.kind in ("returned", "ignored"), (run.message, inputs)
        ended[run.outcome.kind] += 1
    assert ended["returned"] >= RUNS // 8, ended


@STUDENTS
def test_each_invariant_is_a_fact_of_the_plain_program(student: StudentProgram) -> None:
    assert [loop.statement.invariant for loop in student.program.loops] == [None] * len(student.given.loops)
    for loop, fact in student.facts:
        assert student.program.expression(fact, loop)[1] is Type.BOOL


@STUDENTS
def test_the_files_are_formatted(student: StudentProgram) -> None:
    assert format_program(student.given.text) == student.given.text
