"""The table of docs/export.md: how many of the solved programs the other verifiers accept, and why they reject the others.

    python -m tools.exports [--corpus FOLDER] [--to dafny …] [--answers FILE]

The programs are all levels, with their solutions, students' programs with arrays, with the invariants that they state, and those of
the corpus (code2inv.json, nla.json, invgame.json), with the proof sets that they come with or with what the built-in agent finds.
`--answers` names a file that keeps what is known, `--seconds` is what a solver may spend on one function or goal, `--only` names
the sets that are looked at, and `--arrays` leaves out the programs without arrays.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from idg.agents import Agent, LocalEngine
from idg.engine.engine import Engine
from idg.engine.results import Fact, inductive_facts
from idg.export.exporting import TARGETS, ExportRefused, export
from idg.levels import all_levels
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.syntax import Binary, Call, Expr, Name, Number
from idg.sip.trees.arrays import array_constructs
from idg.sip.trees.traverse import expressions, function_expressions
from tools.verifiers import SOLVER_SECONDS, ToolAnswer, accepts, installed

LEVELS, STUDENTS = "levels", "students"
CORPORA = ("code2inv", "nla", "invgame")
LINEAR, NOT_LINEAR, ARRAYS = KINDS = ("linear", "not linear", "with arrays")
WITH_ARRAYS = Path(__file__).parents[1] / "tests" / "support" / "arrays"
"""Students' programs."""
AGENT_FUEL_MAX = 4_000
"""Questions that the agent may ask about one program, in the prover's own count."""


class Exported(Record):
    """A program with a proof."""

    id: str
    program: Program
    facts: tuple[Fact, ...]

    @property
    def invariants(self) -> dict[int, list[Expr]]:
        known: dict[int, list[Expr]] = {}
        for fact in self.facts:
            known.setdefault(fact.loop, []).append(self.program.proposal(fact.text, fact.loop))
        return known

    @property
    def kind(self) -> str:
        """'linear' where no expression of the program and of its invariants multiplies, divides by or raises something unknown."""
        if any(array_constructs(self.program)):
            return ARRAYS
        exprs = [expr for function in self.program.module.functions for expr in function_expressions(function)]
        exprs += [fact for facts in self.invariants.values() for fact in facts]
        return NOT_LINEAR if any(_is_nonlinear(part) for expr in exprs for part in expressions(expr)) else LINEAR


def _is_nonlinear(expr: Expr) -> bool:
    match expr:
        case Binary("*", left, right):
            return _has_unknown(left) and _has_unknown(right)
        case Binary("/" | "//" | "%", _, right):
            return _has_unknown(right)
        case Binary("^", left, right):
            return _has_unknown(left) or _has_unknown(right)
        case Call(function):
            return function in ("gcd", "ispow")
    return False


def _has_unknown(expr: Expr) -> bool:
    return not all(isinstance(part, Number | Binary) or not isinstance(part, Name) for part in expressions(expr))


def proved(program: Program, facts: Iterable[tuple[int, str]]) -> tuple[Fact, ...] | None:
    """What remains of the facts in the engine's books, if they prove the program."""
    engine = Engine(program)
    verdict = engine.propose_many(engine.start(), list(facts))
    return inductive_facts(verdict.books) if verdict.feedback.solved else None


def by_agent(program: Program) -> tuple[Fact, ...] | None:
    result = Agent(LocalEngine(program), seed=0, fuel_max=AGENT_FUEL_MAX).play()
    if result.outcome != "solved":
        return None
    return tuple(Fact(loop, text) for loop, texts in enumerate(result.invariants, 1) for text in texts)


def programs(corpus: Path | None, only: Collection[str], known: dict[str, object]) -> Iterator[tuple[str, Exported]]:
    """The solved programs, each with the name of its set."""
    for level in all_levels() if LEVELS in only else ():
        program = level.program()
        yield LEVELS, Exported(level.id, program, tuple(Fact(fact.loop, fact.expr) for fact in level.solution))
    for path in sorted(WITH_ARRAYS.glob("*.sip")) if STUDENTS in only else ():
        yield STUDENTS, Exported(path.stem, load(path.read_text(encoding="utf-8")), ())
    for name in [name for name in CORPORA if corpus and name in only]:
        assert corpus is not None
        for row in json.loads((corpus / f"{name}.json").read_text(encoding="utf-8")):
            if row["valid"] is False:
                continue
            program = load(row["sip"])
            if row["id"] not in known:
                facts = proved(program, [(fact["loop"], fact["expr"]) for fact in row["proof_set"] or ()]) or by_agent(program)
                known[row["id"]] = None if facts is None else [[fact.loop, fact.text] for fact in facts]
            stored = known[row["id"]]
            if isinstance(stored, list):
                yield name, Exported(row["id"], program, tuple(Fact(loop, text) for loop, text in stored))


def answer_of(exported: Exported, target: str, seconds: int) -> ToolAnswer:
    try:
        text = export(exported.program, exported.invariants, {}, target)
    except ExportRefused as error:
        return ToolAnswer(False, f"not exported: {error}")
    return accepts(target, text, seconds)


def table(rows: list[tuple[str, Exported, dict[str, ToolAnswer]]], targets: list[str]) -> str:
    sets = list(dict.fromkeys((exported.kind, name) for name, exported, _ in rows))
    lines = [f"| solved programs | number | {' | '.join(targets)} |", f"|---|---|{'---|' * len(targets)}"]
    for kind, name in sorted(sets, key=lambda pair: (KINDS.index(pair[0]), pair[1])):
        members = [answers for set_name, exported, answers in rows if (exported.kind, set_name) == (kind, name)]
        counts = [str(sum(answers[target].accepted for answers in members)) for target in targets]
        lines.append(f"| {name}, {kind} | {len(members)} | {' | '.join(counts)} |")
    for kind in KINDS:
        members = [answers for _, exported, answers in rows if exported.kind == kind]
        shares = [f"{sum(answers[target].accepted for answers in members) / max(1, len(members)):.0%}" for target in targets]
        lines.append(f"| **all {kind}** | {len(members)} | {' | '.join(shares)} |")
    lines += ["", "| rejected by | program | reason |", "|---|---|---|"]
    for target in targets:
        for _, exported, answers in rows:
            if not answers[target].accepted:
                reason = " ".join(answers[target].reason.replace("|", "\\|").split())
                lines.append(f"| {target} | {exported.id} | {reason} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="how many solved programs other verifiers accept")
    parser.add_argument("--corpus", type=Path, help="a folder with code2inv.json, nla.json and invgame.json")
    parser.add_argument("--to", nargs="+", choices=tuple(TARGETS), default=list(TARGETS))
    parser.add_argument("--answers", type=Path, help="keeps what is known, so that a run that was stopped can go on")
    sets = (LEVELS, STUDENTS, *CORPORA)
    parser.add_argument("--only", nargs="+", choices=sets, default=sets, metavar="SET", help=f"of {', '.join(sets)}")
    parser.add_argument("--seconds", type=int, default=SOLVER_SECONDS, help="CPU seconds for one function or goal")
    parser.add_argument("--arrays", action="store_true", help="only programs with arrays")
    options = parser.parse_args()
    targets = [target for target in options.to if installed(target)]
    kept = json.loads(options.answers.read_text()) if options.answers and options.answers.exists() else {}
    known: dict[str, object] = kept.setdefault("facts", {})
    rows: list[tuple[str, Exported, dict[str, ToolAnswer]]] = []
    for name, exported in programs(options.corpus, options.only, known):
        answers: dict[str, ToolAnswer] = {}
        if options.arrays and exported.kind != ARRAYS:
            continue
        for target in targets:
            stored = kept.setdefault(target, {})
            if exported.id not in stored:
                given = answer_of(exported, target, options.seconds)
                stored[exported.id] = [given.accepted, given.reason]
                print(f"{exported.id} {target} {'accepted' if given.accepted else given.reason}", file=sys.stderr, flush=True)
                if options.answers:
                    options.answers.write_text(json.dumps(kept))
            answers[target] = ToolAnswer(*stored[exported.id])
        rows.append((name, exported, answers))
    print(table(rows, targets))


if __name__ == "__main__":
    main()
