"""ACL2 as a plug-in: the paper's kind of prover, for comparison.

This is plain ACL2 with its arithmetic-5 books and its hints for non-linear arithmetic, in a process that is kept for many queries.
It never refutes, because finding counterexamples takes books that Debian's package lacks. ACL2's functions are total (a quotient by
zero is zero), so it may prove more than others about expressions without a value; queries from vc/ do not depend on those.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterable

from idg.prover.answers import Answer, Proved, Unknown
from idg.prover.fold import is_boolean, kind_of
from idg.prover.normal import speaks_of_arrays
from idg.prover.smt.encoder import PRODUCT_EXPONENT_MAX
from idg.prover.smt.laws import laws
from idg.sip.syntax import Binary, Boolean, Call, Compare, Expr, Index, Name, Number, Old, Quantified, Type, Unary
from idg.sip.trees.arrays import no_arrays
from idg.sip.trees.traverse import expressions
from idg.vc.query import Query

STEPS_MAX = 500_000
"""Steps of ACL2's prover for one query."""
BACKSTOP_SECONDS = 30.0
"""Seconds after which ACL2 is ended. The steps should end a query long before."""
COMMAND = "acl2"
NOT_TOLD_OF_ARRAYS = "acl2, which is not told of arrays and quantifiers"
NOT_INSTALLED = "acl2 is not installed (Debian: apt-get install acl2)"

_MARK = "IDG-ANSWER"
_START = """
(set-inhibit-output-lst '(error warning! warning observation prove event summary proof-tree))
(include-book "arithmetic-5/top" :dir :system)
(set-default-hints '((nonlinearp-default-hint stable-under-simplificationp hist pspv)))
"""
_OPERATORS = {
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "/",
    "//": "floor",
    "%": "mod",
    "^": "expt",
    "&": "and",
    "|": "or",
    "->": "implies",
}
_RECOGNISERS = {Type.NAT: "natp", Type.INT: "integerp", Type.RAT: "rationalp", Type.BOOL: "booleanp"}


class Acl2:
    name = "acl2"
    starts_processes = True
    """It cannot be used where no process may be started."""

    def __init__(self, steps_max: int = STEPS_MAX) -> None:
        self.steps_max = steps_max
        self._process: subprocess.Popen[str] | None = None
        self._declared: set[str] = set()

    @classmethod
    def available(cls) -> bool:
        return shutil.which(COMMAND) is not None

    def prove(self, query: Query) -> Answer:
        if speaks_of_arrays(query):
            return Unknown((NOT_TOLD_OF_ARRAYS,))
        if not self.available():
            return Unknown((NOT_INSTALLED,))
        form, functions = translated(query)
        stubs = [f"(defstub {name} ({' '.join(f'x{index}' for index in range(arity))}) t)" for name, arity in functions]
        wanted = f"(with-prover-step-limit {self.steps_max} (thm {form}))"
        said = f'(prog2$ (cw "~%{_MARK} ~x0~%" erp) (value :invisible))'
        new = [stub for stub in stubs if stub not in self._declared]
        answer = self._ask([*new, f"(mv-let (erp val state) {wanted} (declare (ignore val)) {said})"])
        self._declared.update(new)
        return Proved(self.name, frozenset(range(len(query.hypotheses)))) if answer == "NIL" else Unknown((self.name,))

    def close(self) -> None:
        """Ends the process; the next query starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        self._declared.clear()

    def __enter__(self) -> Acl2:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        """Whoever gets the prover by its name need not know that there is a process to be ended."""
        self.close()

    def _ask(self, forms: Iterable[str]) -> str:
        """The text after the mark in ACL2's output; '' where the process ended before it wrote one."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(BACKSTOP_SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write("\n".join(forms) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                _, mark, rest = line.partition(_MARK)
                if mark:
                    return rest.strip()
        except BrokenPipeError:
            pass
        finally:
            timer.cancel()
        self.close()
        return ""

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
            assert self._process.stdin is not None
            self._process.stdin.write(_START)
        return self._process


def translated(query: Query) -> tuple[str, list[tuple[str, int]]]:
    """The query as a term of ACL2, and the functions without definition that it mentions, with their number of arguments."""
    translator = _Translator(query)
    exprs = [hypothesis.expr for hypothesis in query.hypotheses]
    known = [law for law in laws([*exprs, query.goal], query.variables, query.info) if _mentions_unknown(law)]
    hypotheses = [translator.term(condition) for condition in (*known, *exprs)]
    goal = translator.term(query.goal)
    types = [f"({_RECOGNISERS[kind]} {translator.names[name]})" for name, kind in query.variables.items()]
    return f"(implies (and {' '.join([*types, *translator.facts, *hypotheses])}) {goal})", sorted(translator.functions.items())


def _mentions_unknown(expr: Expr) -> bool:
    return any(isinstance(part, Call) and part.function in ("gcd", "ispow") for part in expressions(expr))


class _Translator:
    def __init__(self, query: Query) -> None:
        self.query = query
        self.names = {name: f"v{index}" for index, name in enumerate(query.variables)}
        """Numbered names for the variables, because ACL2 does not distinguish capitals."""
        self.functions: dict[str, int] = {}
        self.facts: dict[str, None] = {}
        """The types of applications of functions that have no definition. The keys of a dict keep their order."""

    def term(self, expr: Expr) -> str:
        match expr:
            case Number(value):
                return str(value)
            case Boolean(value):
                return "t" if value else "nil"
            case Name(name) | Old(name):
                return self.names[name]
            case Unary(op, operand):
                return f"({'not' if op == '!' else '-'} {self.term(operand)})"
            case Binary("^", base, Number(int() as exponent)) if 0 < exponent <= PRODUCT_EXPONENT_MAX:
                return f"(* {' '.join([self.term(base)] * exponent)})"
            case Binary(op, left, right):
                return f"({_OPERATORS[op]} {self.term(left)} {self.term(right)})"
            case Compare(operands, ops):
                links = [self.link(operands[index], op, operands[index + 1]) for index, op in enumerate(ops)]
                return links[0] if len(links) == 1 else f"(and {' '.join(links)})"
            case Call():
                return self.call(expr)
            case Index() | Quantified():
                no_arrays(expr)

    def link(self, left: Expr, op: str, right: Expr) -> str:
        sides = f"{self.term(left)} {self.term(right)}"
        same = "iff" if is_boolean(left, self.query.variables, self.query.info) else "equal"
        if op == "=":
            return f"({same} {sides})"
        return f"(not ({same} {sides}))" if op == "!=" else f"({op} {sides})"

    def call(self, expr: Call) -> str:
        arguments = [self.term(argument) for argument in expr.arguments]
        match expr.function:
            case "abs":
                return f"(abs {arguments[0]})"
            case "iswhole":
                return f"(integerp {arguments[0]})"
            case "min" | "max":
                term = arguments[0]
                for argument in arguments[1:]:
                    term = f"({expr.function} {term} {argument})"
                return term
        # The name is encoded, so that `f` and `F` differ and neither is a function of ACL2's own.
        name = "idg-" + "".join(f"{ord(char):x}" for char in expr.function)
        self.functions[name] = len(arguments)
        term = f"({name} {' '.join(arguments)})"
        kind = kind_of(expr, self.query.variables, self.query.info)
        self.facts[f"({_RECOGNISERS[kind]} {term})"] = None
        return term
