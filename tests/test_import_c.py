"""`import_c`: C programs mean the same as SIP; gcc is asked where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c_programs import ACCEPTED, REFUSED

from idg.importer import Imported, Refused, import_c
from idg.sip.chooser import ChoiceRequest
from idg.sip.program import load
from idg.sip.syntax import Type
from idg.sip.values import Value

GCC = shutil.which("gcc") or shutil.which("cc")
VALUES = ([0], [1, 2], [5, 3, -1, 0, 1], [7, 0, 7, 1], [-4, 6, 2], [12, 12, 1], [30, -7, 3, 1, 1, 0], [2, -1, 1, 0, 1, 1, 0, 1])
"""What unknown() gives, over and over, then zeros."""
IGNORED, FAILED = 77, 66
PRELUDE = r"""
#include <stdio.h>
#include <stdlib.h>
static int at_, count_; static char **list_;
static int next_(void) { if (at_ >= 60) exit(78); return at_ < count_ ? atoi(list_[at_++]) : (at_++, 0); }
#define assert(e, ...) do { if (!(e)) exit(66); } while (0)
#define __VERIFIER_assert(e) assert(e)
#define static_assert(e, ...) assert(e)
#define assume(e) do { if (!(e)) exit(77); } while (0)
#define __VERIFIER_assume(e) assume(e)
#define assume_abort_if_not(e) assume(e)
#define vassume(e) assume(e)
#define reach_error() exit(66)
#define __VERIFIER_error() exit(66)
#define abort() exit(77)
#define unknown() next_()
#define __VERIFIER_nondet_int() next_()
#define __VERIFIER_nondet_uint() ((unsigned) abs(next_()))
#define __VERIFIER_nondet_char() ((char) next_())
#define tmpl(text)
#define main main_
"""
EPILOGUE = """
#undef main
int main(int argc, char **argv) { list_ = argv + 1; count_ = argc - 1; CALL; return 0; }
"""
WITHOUT_MEANING = ("a function besides main",)
"""Not to be linked with what the prelude defines."""


def as_c(name: str) -> str:
    """The text for gcc: definitions of functions that the prelude has as macros are taken out."""
    helpers = re.compile(r"^(?:extern|void (?:reach_error|assume_abort|__VERIFIER_assert|vassume)).*\n", re.MULTILINE)
    text = helpers.sub("", ACCEPTED[name]).replace("//@", "")
    call = "main_(0, 0)" if "argc" in text else "main_()"
    return PRELUDE + text + EPILOGUE.replace("CALL", call)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All programs, by one call of the compiler each."""
    if GCC is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("c")
    found = {}
    for number, name in enumerate(each for each in ACCEPTED if each not in WITHOUT_MEANING):
        source, binary = folder / f"{number}.c", folder / f"{number}"
        source.write_text(as_c(name), encoding="utf-8")
        made = subprocess.run([GCC, "-w", "-O0", "-o", binary, source], capture_output=True, text=True)
        assert made.returncode == 0, f"{name}: {made.stderr}"
        found[name] = binary
    return found


class Feed:
    """Gives a SIP run the same values that the C program gets."""

    def __init__(self, values: list[int]) -> None:
        self.values = iter([*values, *[0] * 60])

    def take(self, kind: Type, low: bool = False) -> Value:
        value = next(self.values)
        return bool(value) if kind is Type.BOOL else abs(value) if kind is Type.NAT else value

    def __call__(self, request: ChoiceRequest) -> tuple[Value, ...]:
        return tuple(self.take(kind) for kind in request.types)


def sip_behaviour(found: Imported, values: list[int]) -> tuple[str, list[str]]:
    program = load(found.source)
    feed = Feed(values)
    inputs = {each.name: feed.take(program.params[each.name]) for each in found.inputs}
    try:
        run = program.run(inputs, chooser=feed)
    except StopIteration:
        return "endless", []
    outcome = run.outcome
    if outcome.kind == "failed":
        assert outcome.cause == "assert", f"{run.message}\n{found.source}"
    assert outcome.kind != "bound", run.message
    return outcome.kind, run.printed


def c_behaviour(binary: Path, values: list[int]) -> tuple[str, list[str]]:
    done = subprocess.run([binary, *map(str, values)], capture_output=True, text=True, timeout=20)
    kind = {0: "returned", FAILED: "failed", IGNORED: "ignored", 78: "endless"}.get(done.returncode, f"exit {done.returncode}")
    return kind, done.stdout.splitlines()


ENDS_EARLY = ("early return and exit", "jumps to the end")
"""A run that C ends with return or exit is ignored in SIP, as the note says."""


@pytest.mark.parametrize("name", [each for each in ACCEPTED if each not in WITHOUT_MEANING])
def test_it_does_what_the_c_program_does(name: str, compiled: dict[str, Path]) -> None:
    found = import_c(ACCEPTED[name])
    seen = set()
    for values in VALUES:
        c_kind, c_printed = c_behaviour(compiled[name], list(values))
        kind, printed = sip_behaviour(found, list(values))
        if c_kind == "endless" or kind == "endless":
            continue
        if name in ENDS_EARLY and kind == "ignored":
            kind = "returned"
        assert (kind, printed) == (c_kind, c_printed), f"{values}\n{found.source}"
        seen.add(kind)
    assert seen, "no values lead to an end"


def test_both_outcomes_of_asserts_were_compared(compiled: dict[str, Path]) -> None:
    names = ("wrong", "error label", "error in a branch")
    outcomes = {c_behaviour(compiled[name], list(values))[0] for name in names for values in VALUES}
    assert {"returned", "failed"} <= outcomes


@pytest.mark.parametrize("name", ACCEPTED)
def test_every_program_is_correct_sip_with_notes(name: str) -> None:
    found = import_c(ACCEPTED[name])
    program = load(found.source)
    assert program.loops
    assert list(program.params) == [each.name for each in found.inputs]
    assert str(program) == found.source, "printed in the canonical layout"
    assert any("no bound" in str(each) for each in found.notes) or "unsigned" in name, "the reading of int is told"


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_outside_is_refused_with_its_place(name: str) -> None:
    text, line, column, words = REFUSED[name]
    with pytest.raises(Refused, match=re.escape(words)) as caught:
        import_c(text)
    if line:
        assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)


def test_a_final_if_becomes_the_guarantee() -> None:
    program = load(import_c(ACCEPTED["code2inv with inputs and a final if"]).source)
    assert "guarantee: n >= 0 -> x = 0" in repr(program)
    assert "pre(n > -3)" in program.text


def test_variables_without_a_value_become_inputs() -> None:
    found = import_c("int main() { int n; int m; int i = 0; while (i < n) { i++; m = i; } assert(i >= n); }")
    assert [(each.name, each.origin) for each in found.inputs] == [("n", "uninitialised")]
    assert "line 1: n has no value at the start: it became an input" in map(str, found.notes)


def test_a_function_besides_main_is_read_where_main_only_calls_it() -> None:
    found = import_c(ACCEPTED["a function besides main"])
    program = load(found.source)
    assert program.level.name == "mainQ"
    assert dict(program.params) == {"x": Type.INT, "y": Type.INT}
    assert program.run(x=17, y=5).outcome.kind == "returned"
    assert program.run(x=17, y=0).outcome.kind == "ignored"


def test_a_break_that_is_no_loop_test_becomes_a_flag() -> None:
    found = import_c(ACCEPTED["breaks and continues"])
    assert "while (going1 & i < 50)" in found.source
    assert any("flag going1" in str(each) for each in found.notes)


def test_a_break_at_the_head_becomes_the_test() -> None:
    found = import_c(ACCEPTED["while true with a break"])
    assert "while (r >= 3)" in found.source
    assert "going" not in found.source


def test_unsigned_below_zero_is_an_obligation() -> None:
    found = import_c("int main() { unsigned int x = 3; int i = 0; while (i < 5) { x = x - 1; i++; } assert(i == 5); }")
    run = load(found.source).run()
    assert (run.outcome.kind, run.outcome.cause) == ("failed", "narrowing")


def test_headers_give_their_numbers() -> None:
    text = '#include "limits.h"\n#include <assert.h>\nint main() { int i = 0; while (i < LARGE) i += STEP; assert(i >= LARGE); }'
    header = "#ifndef LIMITS\n#define LIMITS\n/* #define STEP 3 */\n#define LARGE \\\n 1000\n#define STEP 2\nint f(void);\n#endif\n"
    found = import_c(text, {"limits.h": header})
    assert "while (i < 1000)" in found.source
    assert "i := i + 2" in found.source
    assert "line 1: limits.h: only what #define says is read" in map(str, found.notes)
    with pytest.raises(Refused, match="'LARGE' is not declared"):
        import_c(text)
    with pytest.raises(Refused, match=r"limits.h defines STEP in two ways"):
        import_c(text, {"limits.h": header + "#define STEP 4\n"})


def test_long_texts_are_refused() -> None:
    with pytest.raises(Refused, match="at most"):
        import_c(" " * 200_001)


def test_deep_texts_are_refused() -> None:
    with pytest.raises(Refused):
        import_c(f"int main() {{ int x = {'(' * 5000}1{')' * 5000}; }}")
