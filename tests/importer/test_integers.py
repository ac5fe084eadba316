"""`--int`: what signed arithmetic means; and annotations of ACSL."""

from __future__ import annotations

import pytest

from idg.importer import ImportRefused, import_c
from idg.sip.program import load
from idg.sip.running.trace import Run

GROWING = "int main() { int x = 1, i = 0; while (i < 40) { x = x * 2; i++; } assert(x > 0); }"


def run(text: str, integers: str = "math", **inputs: int) -> Run:
    return load(import_c(text, integers=integers).source).run(dict(inputs))


def test_math_has_no_bound_and_says_so() -> None:
    imported = import_c(GROWING)
    assert load(imported.source).run().outcome.kind == "returned"
    assert imported.integers == "math"
    assert any("nothing overflows (--int math)" in str(note) for note in imported.notes)


def test_check_makes_an_obligation_of_each_operation_that_might_overflow() -> None:
    imported = import_c(GROWING, integers="check")
    assert "assert(-2147483648 <= x * 2 <= 2147483647);" in imported.source
    assert "i + 1 <=" not in imported.source, "the ranges show that i stays small"
    outcome = load(imported.source).run().outcome
    assert (outcome.kind, outcome.cause) == ("failed", "assert")


def test_machine_wraps_round() -> None:
    imported = import_c(GROWING, integers="machine")
    assert "x := (x * 2 + 2147483648) % 4294967296 - 2147483648;" in imported.source
    assert "i := i + 1;" in imported.source
    assert load(imported.source).run().outcome.cause == "assert"
    wrapped = "int main() { int x = 2147483647, i = 0; while (i < 1) { x++; i++; } assert(x == -2147483648 && -x == x); }"
    assert run(wrapped, "machine").outcome.kind == "returned"


def test_the_bounds_of_inputs_are_assumed_where_they_matter() -> None:
    text = "int main() { int n = unknown(); long m; int i = 0; while (i < n) i++; assert(i >= n || m > 0); }"
    assert "pre" not in import_c(text).source
    for integers in ("check", "machine"):
        source = import_c(text, integers=integers).source
        assert "pre(-2147483648 <= n <= 2147483647)" in source
        assert "pre(-9223372036854775808 <= m <= 9223372036854775807)" in source


@pytest.mark.parametrize(
    ("condition", "obligation"),
    [
        ("x + 1 > 0", "assert(-2147483648 <= x + 1 <= 2147483647)"),
        ("y == 0 || x * y > 0", "assert(!(y = 0) -> -2147483648 <= x * y <= 2147483647)"),
        ("y != 0 && -x > 0", "assert(y != 0 -> -2147483648 <= -x <= 2147483647)"),
        ("x << 3 == 0", "assert(-2147483648 <= x * 8 <= 2147483647)"),
        ("x << 3 == 8", "assert(0 <= x <= 2147483647)"),
    ],
)
def test_obligations_hold_only_where_the_operation_is_carried_out(condition: str, obligation: str) -> None:
    source = import_c(f"int main(int x, int y) {{ while (y > 0) y--; if ({condition}) y = 1; }}", integers="check").source
    assert obligation in source or obligation.replace("!(y = 0)", "y != 0") in source


@pytest.mark.parametrize(
    ("statements", "integers"),
    [
        ("int x = 2147483647; x + 1;", "check"),
        ("int x = 2147483647; assert(x + 1 > x || 1);", "check"),
        ("int x = 2147483647; if (x + 1 > x && 0) x = 3;", "check"),
        ("int x = -2147483647 - 1, y = -1; x = x % y;", "check"),
        ("int x = -2147483647 - 1, y = -1; assert(x % y == 0);", "check"),
        ("int x = -2147483647 - 1; x %= -1;", "check"),
        ("int x = 0; assert(5 / x > 1 || 1);", "math"),
    ],
)
def test_what_nobody_uses_must_be_computed_nevertheless(statements: str, integers: str) -> None:
    assert run(f"int main() {{ {statements} }}", integers).outcome.kind == "failed"


def test_remainders_by_other_numbers_are_no_overflow() -> None:
    text = "int main() { int x = -2147483647 - 1, y = -2; x = x % y; assert(x == 0); y = -1; x = 7 % y; assert(x == 0); }"
    assert run(text, "check").outcome.kind == "returned"


def test_the_test_of_a_loop_is_checked_at_each_arrival() -> None:
    source = import_c("int main(int n) { int i = 0; while (i * n < 100) i++; }", integers="check").source
    assert source.count("assert(-2147483648 <= i * n <= 2147483647);") == 2


def test_the_meaning_of_integers_must_be_known() -> None:
    with pytest.raises(ValueError, match="wide"):
        import_c(GROWING, integers="wide")


# ACSL


def acsl(annotation: str, body: str = "", after: str = "") -> str:
    return f"int main() {{ int s = 0, i = 0; {body} while (i < 3) {{ i++; s += i; }} {annotation}\n assert(s == 6); {after} }}"


@pytest.mark.parametrize(
    "annotation",
    [
        "//@ assert s == 999;",
        "//@ assert (s == 999);",
        "//@assert(s==999)",
        "/*@ assert s == 999; */",
        "/*@ assert i == 3;\n @ assert s == 999; @*/",
        "//@ check s > 6;",
        "//@ assert 0 <= i <= 2;",
        "//@ assert i == 3 ==> s == 7;",
        "//@ assert i == 3 <==> s == 7;",
        "//@ assert named: \\false;",
    ],
)
def test_a_wrong_annotation_fails(annotation: str) -> None:
    assert run(acsl(annotation)).outcome.kind == "failed"


@pytest.mark.parametrize(
    "annotation",
    [
        "//@ assert s == 6 && 0 <= i <= 3;",
        "//@ assert i == 4 ==> s == 7;",
        "//@ assert !(i < 3) && \\true;",
        "// assert(0)",
        "/* @ assert 0; */",
    ],
)
def test_a_right_annotation_holds(annotation: str) -> None:
    assert run(acsl(annotation)).outcome.kind == "returned"


def test_numbers_in_annotations_do_not_wrap() -> None:
    text = "int main() { unsigned u = 0; int i = 0; while (i < 2) i++; //@ assert u - 1 < 5 && -1 < u;\n assert(u - 1 > 5); }"
    assert run(text).outcome.kind == "returned"


def test_macros_are_expanded_in_annotations() -> None:
    assert run("#define SUM 6\n" + acsl("//@ assert s == SUM;")).outcome.kind == "returned"


def test_an_assumption_in_an_annotation_is_noted() -> None:
    imported = import_c(acsl("//@ assume s == 7;"))
    assert load(imported.source).run().outcome.kind == "ignored"
    assert any("taken for granted" in str(note) for note in imported.notes)


def test_a_loop_invariant_is_stated() -> None:
    stated = "/*@ loop invariant 0 <= i <= 4;\n @ loop assigns i, s; */"
    text = f"int main() {{ int s = 0; {stated}\nfor (int i = 0; i < 4; i++) {{ s += 2; }} assert(s == 8); }}"
    imported = import_c(text)
    assert "while [0 <= i & i <= 4] (i < 4)" in imported.source
    assert any("'loop assigns i , s' is not read" in str(note) for note in imported.notes)
    assert run(text.replace("<= 4;", "<= 3;")).outcome.cause == "invariant"
    with pytest.raises(ImportRefused, match="loop invariant or variant of do"):
        import_c("int main() { int i = 0; //@ loop invariant i >= 0;\n do { i++; } while (i < 4); }")
    leaves = "while (i < 9) { if (i == 3) { i = 7; break; } i++; }"
    broken = f"int main() {{ int i = 0; //@ loop invariant i <= 3;\n {leaves} assert(i == 7); }}"
    assert run(broken).outcome.kind == "returned", "after a break the invariant need not hold"


def test_a_loop_variant_is_a_stated_measure() -> None:
    stated = "int main() {{ int n = unknown(), i = 0; //@ loop variant {variant};\n while (i < n) {{ i++; {more} }} }}"
    assert "while (i < n) decreases n - i {" in import_c(stated.format(variant="n - i", more="")).source
    # In the turn that breaks, the flag falls.
    breaking = import_c(stated.format(variant="n - i", more="if (i == 7) break;")).source
    assert "decreases going1, n - i {" in breaking
    with pytest.raises(ImportRefused, match="near 'for'"):
        import_c(stated.format(variant="n - i for lexico", more=""))
    with pytest.raises(ImportRefused, match="second loop variant"):
        import_c(stated.format(variant="n - i; loop variant i", more=""))


def test_a_place_where_a_run_stays_for_ever_is_told() -> None:
    """It is read as an error or an end, as suites mean it. Whether the program ends cannot be asked then."""
    staying = "int main() {\n int i = 0;\n while (i < 9) { i++; if (i > 20) goto ERROR; }\n return 0;\n ERROR: goto ERROR;\n}"
    assert import_c(staying).stays == 5
    assuming = "void assume(int c) { if (!c)\n while (1) {} }\nint main() { int i = unknown(); assume(i > 3); while (i > 0) i--; }"
    assert import_c(assuming).stays == 2
    assert not import_c("int main() { int i = 9; while (i > 0) i--; }").stays


def test_staying_for_ever_is_an_error_only_where_the_label_says_so() -> None:
    """It was read as an error at any label, so that right programs were refuted by runs that C never lets fail."""
    text = "int main() {{ int i = 0; while (unknown()) i++; if (i >= 9) {label}: goto {label}; assert(i < 9); }}"
    stuck, error = (import_c(text.format(label=label)) for label in ("STUCK", "ERROR"))
    assert "assume(i < 9);" in stuck.source
    assert "at which a run stays for ever" in "\n".join(map(str, stuck.notes))
    assert "assert(i < 9);" in error.source
    assert "assume" not in error.source
    assert stuck.stays
    jumping = import_c("int main() { int i = 0; while (unknown()) { i++; if (i > 9) goto LOOP; } return 0; LOOP: goto LOOP; }")
    assert "assume(i <= 9);" in jumping.source
    assert "assert" not in jumping.source


CONTRACT = "/*@ requires n >= 0 && n < 10;\n @ ensures \\result == 2 * n && n == \\old(n);\n @ assigns \\nothing; */\n"


def test_a_contract_is_read() -> None:
    text = CONTRACT + "int twice(int n) { int r = 0; while (n > 0) { n--; r += 2; } return r; }"
    assert [run(text, n=value).outcome.kind for value in (-1, 0, 4)] == ["ignored", "returned", "returned"]
    assert run(text.replace("r += 2", "r += 3"), n=4).outcome.kind == "failed"
    early = text.replace("int r = 0;", "int r = 0; if (n == 4) return 1;")
    assert run(early, n=4).outcome.kind == "failed", "an early return keeps the promise, too"
    assert "requires" not in import_c(text).source
    with pytest.raises(ImportRefused, match="not checked where main calls it"):
        import_c(text + "int main() { return twice(unknown()); }")


@pytest.mark.parametrize(("limit", "wraps"), [(254, False), (255, False), (256, True)])
def test_the_ranges_are_exact_at_the_bound(limit: int, wraps: bool) -> None:
    source = import_c(f"int main() {{ unsigned char c = 0; while (c < {limit}) c++; assert(c == {limit}); }}").source
    assert ("c := (c + 1) % 256;" in source) == wraps, source
    assert ("c := c + 1;" in source) != wraps, source
