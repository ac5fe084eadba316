"""The texts that a model reads besides answers: instructions, resources and prompts."""

from __future__ import annotations

from collections.abc import Iterable

from idg.agents.sdk.moves import LevelInfo
from idg.sip.operators import ARRAY_WORDS, FUNCTIONS, OPERATORS, SOFT_ARRAY_WORDS, WORDS

INSTRUCTIONS = """\
The Invariant Discovery Game: find loop invariants that prove a program's guarantee.

list_levels, then read_program. Look at the states at the loop head (run_trace), guess facts that hold in all of them
(check_expressions is free), and propose them, best several at once. The engine proves or refutes each:
- inductive: proved, kept. rests_on names unproved parts of the program that the proof assumes.
- potential: no run breaks it, but it needs other facts; before and after are a turn that must be excluded.
- non-invariant: false in `state` of the run from `inputs`.
- displaced, displaced-potential, type-tautology: says nothing new.
- unknown: not decided; tried again when more is known.
Until the level is solved, rule_out has a state that satisfies all that is proved, but from which the program breaks its
guarantee. Propose a fact that holds in every real run and is false in that state. Typical needs: an equation that relates the
variables (often of degree 2), and bounds such as i <= n.
Whether every run ends has a mark of its own: propose a measure such as `decreases n - i`, which falls in every turn and is at
least 0 before it (falls, does-not-fall, may-not-fall, unknown); where a run never ends, claim_endless.

Expressions: + - * // % ^, = != < <= > >= (chains: 0 <= i <= n), & | ! ->, abs, min, max, gcd. `=` is equality.
Arrays: a[i], len(a), forall k in 0..i - 1: a[k] >= 0 (ranges include both ends), exists, sum, count, sorted, permutation.
Numbers are exact and unbounded; fractions and very long numbers are texts, such as "7/3". Fields that do not apply are left out."""
"""What a client is told when it connects."""

LANGUAGE = """\
# SIP

A program is a list of functions; the last one is the level, and the others are helpers that it may call. Numbers are exact.

    fn main(n: nat): int {{
      pre(n >= 1);
      post(result^2 <= n & n < (result + 1)^2);
      var cnt: int := 0;
      while ((cnt + 1)^2 <= n) {{
        cnt := cnt + 1;
      }}
      return cnt;
    }}

Types: bool, nat (0, 1, 2, …), int, rat, and arrays such as int[], which are values. A range x..y includes both ends.
`old(n)` is the value of n at the start.
A program to be played has a loop, and a guarantee: a post, or an assert at its end. A name is declared only once in a function.

## Words

{words}

## Operators, the weakest binding first

{operators}

## Functions

{functions}
"""

WRITE_A_LEVEL = """\
Write a level of the Invariant Discovery Game about this: {topic}.

A level is a SIP program with a loop and a guarantee (a final assert, or a post) that needs an invariant which is pleasant to
find: an equation between the variables, or a bound. Read the resource idg://language for the language. Keep it under 20 lines
and one or two loops. Then call add_program with it, look at its traces for several inputs (run_trace), and solve it yourself by
propose, so that it is known to be solvable. In the end show the program, a story of two sentences for its players, inputs worth
trying, and a shortest set of invariants that proves it."""

PLAY_A_LEVEL = """\
Solve the level '{level}' of the Invariant Discovery Game.

Call read_program with it. Run it on several inputs. Write down which equations and bounds hold in every row, try them by
check_expressions, and propose those that hold. As long as it is not solved, look at rule_out: say why no real run has this
state, and propose a fact that says so. Ask for a hint only when you are stuck. When it is solved, explain in a few sentences
what the invariants mean and why they prove the guarantee."""

EXPLAIN_A_PROOF = """\
Explain the proof of the level '{level}' to somebody who knows how to program but not what an invariant is.

Call read_program, status and explain. Say what each proved invariant means in words, why it holds when the loop is first
reached, why one turn keeps it, and how the invariants together give the guarantee when the loop ends. Name what is not proved
yet, if anything, and what a proof rests on. Use a row of a real run (run_trace) as an example."""


def language() -> str:
    """The language, in a page."""
    return LANGUAGE.format(
        words=_table((word.token, word.explanation, word.example) for word in (*WORDS, *ARRAY_WORDS, *SOFT_ARRAY_WORDS)),
        operators=_table(
            (" ".join((operator.token, *operator.alternatives)), operator.explanation, operator.example) for operator in OPERATORS
        ),
        functions=_table((function.name, function.explanation, function.example) for function in FUNCTIONS.values()),
    )


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    return "\n".join(f"- `{name}`: {explanation} `{example}`" for name, explanation, example in rows)


def level_page(levels: tuple[LevelInfo, ...]) -> str:
    """All levels with their stories."""
    return "\n".join(
        f"- {level.level} ({level.title}; difficulty {level.difficulty}{_loops(level.loops)}): {level.story}" for level in levels
    )


def _loops(count: int) -> str:
    return f", {count} loops" if count > 1 else ""
