"""`import_c`: the imported programs do what the C programs do, which gcc shows if it is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from idg.importer import Imported, ImportRefused, import_c
from idg.sip.program import load
from idg.sip.running.chooser import ChoiceRequest
from idg.sip.syntax import Type
from idg.sip.values import Scalar
from tests.support.programs.c.c_callers import BAD_CALLERS, CALLED, CALLERS, READ_CALLERS
from tests.support.programs.c.c_programs import ACCEPTED
from tests.support.programs.c.c_refused import REFUSED
from tests.support.waiting import HANG_SECONDS

GCC = shutil.which("gcc") or shutil.which("cc")
VALUES = ([0], [1, 2], [5, 3, -1, 0, 1], [7, 0, 7, 1], [-4, 6, 2], [12, 12, 1], [30, -7, 3, 1, 1, 0], [2, -1, 1, 0, 1, 1, 0, 1])
"""The values that unknown() gives, one after the other, and then zeros."""
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
"""Programs that cannot be linked with what the prelude defines."""


def as_c(name: str) -> str:
    """The program's text for gcc, without definitions of functions that the prelude has as macros."""
    helpers = re.compile(r"^(?:extern|void (?:reach_error|assume_abort|__VERIFIER_assert|vassume)).*\n", re.MULTILINE)
    text = helpers.sub("", ACCEPTED[name]).replace("//@", "")
    call = "main_(0, 0)" if "argc" in text else "main_()"
    return PRELUDE + text + EPILOGUE.replace("CALL", call)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Compiles all programs, each by one call of the compiler."""
    if GCC is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("c")
    binaries = {}
    for number, name in enumerate(program for program in ACCEPTED if program not in WITHOUT_MEANING):
        source, binary = folder / f"{number}.c", folder / f"{number}"
        source.write_text(as_c(name), encoding="utf-8")
        compiler = subprocess.run([GCC, "-w", "-O0", "-o", binary, source], capture_output=True, text=True)
        assert compiler.returncode == 0, f"{name}: {compiler.stderr}"
        binaries[name] = binary
    return binaries


class Feed:
    """Gives a SIP run the same values that the C program gets."""

    def __init__(self, values: list[int]) -> None:
        self.values = iter([*values, *[0] * 60])

    def take(self, kind: Type, low: bool = False) -> Scalar:
        value = next(self.values)
        return bool(value) if kind is Type.BOOL else abs(value) if kind is Type.NAT else value

    def __call__(self, request: ChoiceRequest) -> tuple[Scalar, ...]:
        return tuple(self.take(kind) for kind in request.types)


def sip_behaviour(imported: Imported, values: list[int]) -> tuple[str, list[str]]:
    program = load(imported.source)
    feed = Feed(values)
    inputs = {input_.name: feed.take(program.params[input_.name]) for input_ in imported.inputs}
    try:
        run = program.run(inputs, chooser=feed)
    except StopIteration:
        return "endless", []
    outcome = run.outcome
    if outcome.kind == "failed":
        assert outcome.cause == "assert", f"{run.message}\n{imported.source}"
    assert outcome.kind != "bound", run.message
    return outcome.kind, run.printed


def c_behaviour(binary: Path, values: list[int]) -> tuple[str, list[str]]:
    process = subprocess.run([binary, *map(str, values)], capture_output=True, text=True, timeout=HANG_SECONDS)
    kind = {0: "returned", FAILED: "failed", IGNORED: "ignored", 78: "endless"}.get(
        process.returncode, f"exit {process.returncode}"
    )
    return kind, process.stdout.splitlines()


ENDS_EARLY = ("early return and exit", "jumps to the end", "a jump to a return of a value")
"""Programs in which C ends a run with return or exit. SIP ignores such a run, as the note says."""


@pytest.mark.parametrize("name", [program for program in ACCEPTED if program not in WITHOUT_MEANING])
def test_it_does_what_the_c_program_does(name: str, compiled: dict[str, Path]) -> None:
    imported = import_c(ACCEPTED[name])
    seen = set()
    for values in VALUES:
        c_kind, c_printed = c_behaviour(compiled[name], list(values))
        kind, printed = sip_behaviour(imported, list(values))
        if c_kind == "endless" or kind == "endless":
            continue
        if name in ENDS_EARLY and kind == "ignored":
            kind = "returned"
        assert (kind, printed) == (c_kind, c_printed), f"{values}\n{imported.source}"
        seen.add(kind)
    assert seen, "no values lead to an end"


def test_both_outcomes_of_asserts_were_compared(compiled: dict[str, Path]) -> None:
    names = ("wrong", "error label", "error in a branch")
    outcomes = {c_behaviour(compiled[name], list(values))[0] for name in names for values in VALUES}
    assert {"returned", "failed"} <= outcomes


@pytest.mark.parametrize("name", ACCEPTED)
def test_every_program_is_correct_sip_with_notes(name: str) -> None:
    imported = import_c(ACCEPTED[name])
    program = load(imported.source)
    assert program.loops
    assert list(program.params) == [input_.name for input_ in imported.inputs]
    assert str(program) == imported.source, "printed in the canonical layout"
    assert any("no bound" in str(note) for note in imported.notes) or "unsigned" in name, "the reading of int is told"


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_outside_is_refused_with_its_place(name: str) -> None:
    text, line, column, words = REFUSED[name]
    with pytest.raises(ImportRefused, match=re.escape(words)) as caught:
        import_c(text)
    if line:
        assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)


def test_a_final_if_becomes_the_guarantee() -> None:
    program = load(import_c(ACCEPTED["code2inv with inputs and a final if"]).source)
    assert "guarantee: n >= 0 -> x = 0" in repr(program)
    assert "pre(n > -3)" in program.text


def test_variables_without_a_value_become_inputs() -> None:
    imported = import_c("int main() { int n; int m; int i = 0; while (i < n) { i++; m = i; } assert(i >= n); }")
    assert [(input_.name, input_.origin) for input_ in imported.inputs] == [("n", "uninitialised")]
    assert "line 1: n has no value at the start: it became an input" in map(str, imported.notes)


def test_a_function_besides_main_is_read_where_main_only_calls_it() -> None:
    imported = import_c(ACCEPTED["a function besides main"])
    program = load(imported.source)
    assert program.level.name == "mainQ"
    assert dict(program.params) == {"x": Type.INT, "y": Type.INT}
    assert program.run(x=17, y=5).outcome.kind == "returned"
    assert program.run(x=17, y=0).outcome.kind == "ignored"


@pytest.mark.parametrize("name", CALLERS)
def test_a_main_that_only_calls_is_left_out(name: str) -> None:
    imported = import_c(CALLED + CALLERS[name])
    assert load(imported.source).level.name == "f"
    assert any("f is read for all arguments" in str(note) for note in imported.notes)


@pytest.mark.parametrize("name", READ_CALLERS)
def test_a_main_that_does_more_is_read_with_what_it_calls(name: str) -> None:
    imported = import_c(CALLED + READ_CALLERS[name])
    program = load(imported.source)
    assert program.level.name == "main"
    assert program.loops
    assert any("are written out" in str(note) for note in imported.notes)


@pytest.mark.parametrize("name", BAD_CALLERS)
def test_calls_that_are_not_read_are_refused(name: str) -> None:
    text, line, words = BAD_CALLERS[name]
    with pytest.raises(ImportRefused, match=re.escape(words)) as caught:
        import_c(CALLED + text)
    assert caught.value.line == line, str(caught.value)


def test_main_is_read_where_it_does_not_call_the_function_that_has_the_loops() -> None:
    assert load(import_c(CALLED + "int main() { int x = 1; assert(x == 2); }").source).level.name == "main"


def test_a_break_that_is_no_loop_test_becomes_a_flag() -> None:
    imported = import_c(ACCEPTED["breaks and continues"])
    assert "while (going1 & i < 50)" in imported.source
    assert any("flag going1" in str(note) for note in imported.notes)


def test_a_break_at_the_head_becomes_the_test() -> None:
    imported = import_c(ACCEPTED["while true with a break"])
    assert "while (r >= 3)" in imported.source
    assert "going" not in imported.source


def test_unsigned_numbers_wrap_round_where_the_ranges_do_not_exclude_it() -> None:
    down = "int main() {{ unsigned x = unknown(); int i = 0; while ({}) {{ x = x - 1; i++; }} assert(i >= 0); }}"
    assert "x := (x - 1) % 4294967296" in import_c(down.format("i < 5")).source
    assert "x := x - 1" in import_c(down.format("x > 0")).source
    up = import_c("int main() { unsigned n = unknown(), i = 0; while (i < n) i++; assert(i == n); }")
    assert "i := i + 1;" in up.source
    assert "pre(n <= 4294967295)" in up.source


def test_headers_are_read() -> None:
    text = '#include "limits.h"\n#include <assert.h>\nint main() { count i = 0; while (i < LARGE) i += STEP; assert(i >= LARGE); }'
    header = "#ifndef LIMITS\n#define LIMITS\n/* #define STEP 3 */\n#define LARGE \\\n 1000\n#define STEP 2\nint f(void);\n#endif\n"
    imported = import_c(text, {"limits.h": header + "typedef int count;\n"})
    assert "while (i < 1000)" in imported.source
    assert "i := i + 2" in imported.source
    with pytest.raises(ImportRefused, match="not expected"):
        import_c(text)
    with pytest.raises(ImportRefused, match=r"'STEP' is defined in two ways"):
        import_c(text, {"limits.h": header + "#define STEP 4\n"})


COUNTING = "int main() { int i = 0; while (i < LIMIT) i++; assert(i == LIMIT); }"


@pytest.mark.parametrize(
    "header",
    [
        "#ifndef LIMIT\n#define LIMIT 100\n#endif\n",
        "#if !defined(LIMIT)\n#define LIMIT 100\n#endif\n",
        "#ifndef GUARD\n#define GUARD\n#ifndef LIMIT\n#define LIMIT 100\n#endif\n#endif\n",
        "#ifdef LARGE\n#define LIMIT 100\n#endif\n",
        "#if LIMIT > 10\n#undef LIMIT\n#elif LIMIT == 10\n#else\n#undef LIMIT\n#endif\n",
        "#define LIMIT  10\n",
    ],
)
def test_a_header_keeps_what_the_file_defines(header: str) -> None:
    assert "assert(i = 10)" in import_c(f'#define LIMIT 10\n#include "guard.h"\n{COUNTING}', {"guard.h": header}).source


def test_a_header_gives_what_the_file_leaves_open() -> None:
    header = "#ifndef GUARD\n#define GUARD\n#ifndef LIMIT\n#define LIMIT 100\n#endif\n#endif\n"
    text = f'#include "guard.h"\n#include "./guard.h"\n{COUNTING}'
    assert "assert(i = 100)" in import_c(text, {"guard.h": header}).source
    with pytest.raises(ImportRefused, match="'LIMIT' is not declared"):
        import_c(f"#define GUARD\n{text}", {"guard.h": header})
    with pytest.raises(ImportRefused, match=r"'LIMIT' is defined in two ways"):
        import_c(f'#include "guard.h"\n#define LIMIT 10\n{COUNTING}', {"guard.h": header})


def test_asserts_that_are_switched_off_promise_nothing() -> None:
    """Where NDEBUG is defined before assert.h, an assert is nothing at all, and so is what it would change."""
    text = "int main() { int i = 0; while (i < 5) i++; assert(i++ == 9); return i; }"
    with pytest.raises(ImportRefused, match="NDEBUG is defined"):
        import_c(f"#define NDEBUG\n#include <assert.h>\n{text}")
    for before in ("#include <assert.h>\n#define NDEBUG\n", "#define NDEBUG\n#undef NDEBUG\n#include <assert.h>\n"):
        assert "assert(" in import_c(before + text).source


def test_headers_of_headers() -> None:
    text = f'#include "a/one.h"\n{COUNTING}'
    headers = {"a/one.h": '#include "two.h"\n#include "assert.h"\n', "a/two.h": "#define LIMIT 5\n"}
    imported = import_c(text, headers)
    assert "assert(i = 5)" in imported.source
    with pytest.raises(ImportRefused, match=r'the header "none.h" does not lie beside the file'):
        import_c(text, {**headers, "a/two.h": '#include "none.h"\n'})
    long_chain = {f"{number}.h": f'#include "{number + 1}.h"\n' for number in range(30)} | {"30.h": ""}
    with pytest.raises(ImportRefused, match="headers"):
        import_c('#include "0.h"\n' + COUNTING, long_chain)
    twice = {f"{number}.h": f'#include "{number + 1}.h"\n' * 2 for number in range(15)} | {"15.h": ""}
    with pytest.raises(ImportRefused, match="headers"):
        import_c('#include "0.h"\n' + COUNTING, twice)
    with pytest.raises(ImportRefused, match="headers"):
        import_c('#include "0.h"\n' + COUNTING, {"0.h": '#include "0.h"\n'})


def test_what_a_header_makes_of_a_call_is_read() -> None:
    text = '#include "tools.h"\nint main() {\n  int i = 0;\n  while (i < 9) i++;\n  tell("i");\n}'
    assert "tell" not in import_c(text, {"tools.h": "void tell(char *m);\n"}).source
    assert "assume(false)" in import_c(text, {"tools.h": "#define tell(m) abort()\n"}).source
    with pytest.raises(ImportRefused, match="'tell'"):
        import_c(text, {"tools.h": "void tell(char *m) { reach_error(); }\n"})


def test_macros_that_grow_without_end_are_refused() -> None:
    lines = "".join(f"#define A{number} A{number + 1} + A{number + 1}\n" for number in range(40))
    with pytest.raises(ImportRefused, match="tokens"):
        import_c(lines + "#define A40 1\nint main() { int x = A0; }")


SUM = "1" + " + 1" * 6000


@pytest.mark.parametrize("text", [f"int main() {{ int i = {SUM}; }}", f"#define N {SUM}\nint main() {{ int x = N; }}"])
def test_long_expressions_are_refused(text: str) -> None:
    with pytest.raises(ImportRefused, match="too long an expression") as caught:
        import_c(text)
    assert caught.value.hint


def test_long_texts_are_refused() -> None:
    with pytest.raises(ImportRefused, match="at most"):
        import_c(" " * 200_001)


def test_deep_texts_are_refused() -> None:
    with pytest.raises(ImportRefused):
        import_c(f"int main() {{ int x = {'(' * 5000}1{')' * 5000}; }}")


@pytest.mark.parametrize(
    "unused", ["10 / (i - 3);", "return 10 / (i - 3);", "a[i];", "(void) (a[i] > 2 && i < 9);", "a[i] + 1, i = 0;"]
)
def test_a_value_that_nobody_uses_must_be_there(unused: str) -> None:
    text = f"int main() {{ int a[3] = {{1, 2, 3}}, i = 0; while (i < 3) i++; {unused} }}"
    assert load(import_c(text).source).run().outcome.cause in ("index", "zero-divisor")
    right = text.replace("i - 3", "i - 4").replace("a[i]", "a[i - 1]")
    assert load(import_c(right).source).run().outcome.kind == "returned"


def test_a_cell_that_is_returned_must_be_there() -> None:
    text = "int main() { int a[3] = {1, 2, 3}, i = 0; while (i < 3) i++; return a[i]; }"
    assert load(import_c(text).source).run().outcome.cause == "index"
    assert load(import_c(text.replace("a[i]", "a[i - 1]")).source).run().outcome.kind == "returned"
