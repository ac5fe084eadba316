"""A program that can be run. Everything outside the language package uses the language through this module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from idg.sip.checking.analysis import Loop, ModuleInfo, check_module
from idg.sip.checking.checker import FACT, check_boolean, check_expression
from idg.sip.errors import SipError
from idg.sip.limits import RunLimits, check_limits
from idg.sip.syntax import Assert, Claim, Expr, Function, Module, Span, Stmt, Type
from idg.sip.text.expressions import DECREASES, parse_expression, parse_measure
from idg.sip.text.parser import parse_program
from idg.sip.text.printer import print_expression, print_program
from idg.sip.trees.arrays import PROVED, refuse_in_proposal
from idg.sip.trees.traverse import statements

if TYPE_CHECKING:
    from idg.sip.running.chooser import Chooser
    from idg.sip.running.compiler import Compiled
    from idg.sip.running.runner import Recording, RunStart
    from idg.sip.running.trace import Run
    from idg.sip.values import Given, Value

DEFAULT_LIMITS = RunLimits()
"""What a run may spend where nothing else is asked for."""


def load(text: str) -> Program:
    """Read and check the text of a program.

    Raises `SipError`, with everything that is wrong with the text, where it is not a program.
    """
    module = parse_program(text)
    info, problems = check_module(module)
    if problems:
        raise SipError(text, problems)
    return Program(text, info)


def _load_focused(text: str, function: str, claims: bool) -> Program:
    program = load(text).alone(function)
    return program.checking_claims if claims else program


class Program:
    """A checked program; `load` makes one. It is compiled at its first run.

    `str(program)` is its text in the canonical layout.
    """

    def __init__(self, text: str, info: ModuleInfo, claims: bool = False) -> None:
        """`claims`: whether runs check the claims, too."""
        self.text = text
        """The text that was read."""
        self.info = info
        self._claims = claims
        self.first_inputs: Mapping[str, Given] | None = None
        """Inputs of the run that players look at first; None where nobody has said which. They mean nothing to runs and proofs."""
        self._alone: dict[str, Program] = {}
        """Programs that `alone` made."""

    @property
    def module(self) -> Module:
        return self.info.module

    @property
    def level(self) -> Function:
        """The last function of the text. It is the one that is run and proved; the functions before it are its helpers.

        Of a program that `alone` made, it is the helper that is looked at.
        """
        return self.info.level.function

    @property
    def params(self) -> dict[str, Type]:
        """The inputs of the program and their types, in their order."""
        return {param.name: param.type for param in self.level.params}

    @property
    def loops(self) -> tuple[Loop, ...]:
        """All loops: those of the level in the order of the text, then those of its helpers.

        A loop has a `number`, its `function`, and `columns`, the names of its variables.
        """
        return self.info.loops

    def alone(self, function: str) -> Program:
        """The program with this helper as its level, which is then run and proved by itself; loops keep their numbers.

        For the level it is the program itself.
        """
        if function == self.level.name:
            return self
        if function not in self._alone:
            self._alone[function] = Program(self.text, self.info.alone(function), self._claims)
        return self._alone[function]

    @cached_property
    def checking_claims(self) -> Program:
        """The program whose runs fail at a claim that does not hold; the program itself where it has no claim."""
        bodies = (info.function.body for info in self.info.functions.values())
        claims = any(isinstance(statement, Claim) for body in bodies for statement in statements(body))
        return Program(self.text, self.info, True) if claims else self

    @property
    def guarantee(self) -> tuple[Expr, ...]:
        """What the program promises: its posts or, where there are none, the asserts at its end."""
        if self.level.posts:
            return self.level.posts
        return _final_asserts(self.level.body.statements)

    def quoted(self, span: Span) -> str:
        """What stands in the text there, as one line."""
        return " ".join(self.text[span.start : span.end].split())

    def loop(self, number: int) -> Loop:
        """The loop with this number. Raises `LookupError` where there is none."""
        if not 1 <= number <= len(self.loops):
            count = len(self.loops)
            known = f"it has loops 1 to {count}" if count > 1 else "it has one loop" if count else "it has no loop"
            raise LookupError(f"there is no loop {number} in this program; {known}")
        return self.loops[number - 1]

    def expression(self, text: str, loop: int = 1) -> tuple[Expr, Type]:
        """Read the text as an expression about the states at this loop, and find its type. Raises `SipError` where it is none."""
        expr = parse_expression(text)
        kind, problems = check_expression(expr, self.info.scope(self.loop(loop)))
        if problems:
            raise SipError(text, problems)
        assert kind is not None
        return expr, kind

    def proposal(self, text: str, loop: int = 1) -> Expr:
        """Read the text as a Boolean expression that can be proposed for this loop. Raises `SipError` where it is none."""
        expr, _ = self.expression(text, loop)
        problems = check_boolean(expr, self.info.scope(self.loop(loop)), FACT, "a proposal")
        if problems:
            raise SipError(text, problems)
        refuse_in_proposal(expr, self._variables_at(loop), text, PROVED)
        return expr

    def _variables_at(self, loop: int) -> Mapping[str, Type]:
        """All variables of the function to which the loop belongs."""
        return self.info.functions[self.loop(loop).function].variables

    def measure(self, text: str, loop: int = 1) -> tuple[Expr, ...]:
        """Read the text as a measure of this loop: `n - i`, or `decreases x, y`. Raises `SipError` where it is none."""
        components = parse_measure(text)
        scope = self.info.scope(self.loop(loop))
        problems = [problem for component in components for problem in check_expression(component, scope)[1]]
        if problems:
            raise SipError(text, problems)
        for component in components:
            refuse_in_proposal(component, self._variables_at(loop), text, PROVED)
        return components

    def is_measure(self, text: str, loop: int = 1) -> bool:
        """Whether the text proposes a measure: it starts with the word `decreases`, and the loop has no variable of that name."""
        return text.split(maxsplit=1)[:1] == [DECREASES] and DECREASES not in self.loop(loop).columns

    def run(
        self,
        inputs: Mapping[str, Given] | None = None,
        /,
        *,
        limits: RunLimits = DEFAULT_LIMITS,
        seed: int = 0,
        choices: Sequence[Sequence[Given]] = (),
        chooser: Chooser | None = None,
        record: bool = True,
        **named: Given,
    ) -> Run:
        """Run the level: `program.run(n=46)`, or `program.run({"n": "46"})`.

        Every parameter needs a value: a number, a Boolean, or a text such as `"-7/3"`. An array is a list of these, or a text such
        as `"3, 1, 2"`. `limits` bounds the run.

        `choices` are the first choices of the run, in order: values for each declaration without a value and for each `cassign`.
        After them, declared variables start as zero, and `seed` decides the choices of `cassign`, unless a `chooser` makes them.
        `record=False` keeps no traces, for many quick runs.

        A run that fails or reaches a bound raises nothing: its outcome says so. Raises `InputError` for inputs or choices that
        do not fit, and `ValueError` for limits that are not whole numbers from 0 on.
        """
        from idg.sip.running.chooser import ScriptedChooser, ScriptError
        from idg.sip.running.runner import run
        from idg.sip.running.trace import Run
        from idg.sip.values import InputError, bounded_repr

        check_limits(limits)
        if inputs is not None and not isinstance(inputs, Mapping):
            raise InputError(f"expected the inputs by name, such as run(n=46) or run({{'n': 46}}), found {bounded_repr(inputs)}")
        given = self.inputs({**(inputs or {}), **named})
        compiled = self._recording if record else self._bare
        if choices:
            chooser = ScriptedChooser(choices, seed)
        try:
            recording = run(compiled, given, self._column_counts(given), record=record, limits=limits, seed=seed, chooser=chooser)
        except ScriptError as error:
            raise InputError(f"the choices do not fit this run: {error}") from None
        return Run(self, given, limits, recording, recorded=record, seed=seed)

    def recording(self, inputs: Mapping[str, Value], limits: RunLimits, seed: int = 0, chooser: Chooser | None = None) -> Recording:
        """What a run leaves behind, for those who make hundreds of runs: nothing is built around it.

        The inputs must fit the parameters, in their order. Nobody checks that here; `inputs` makes such ones.
        """
        from idg.sip.running.runner import run

        return run(self._recording, inputs, self._column_counts(inputs), record=True, limits=limits, seed=seed, chooser=chooser)

    def told(self, inputs: Mapping[str, Value], limits: RunLimits, seed: int, recording: Recording) -> Run:
        """The run that left this recording behind."""
        from idg.sip.running.trace import Run

        return Run(self, inputs, limits, recording, seed=seed)

    def _column_counts(self, inputs: Mapping[str, Value]) -> Sequence[int]:
        """How many values a row of each loop has, without arrays whose length only the run decides. An array has one a cell."""
        resized = self._resized
        cells = [(name, len(value) - 1) for name, value in inputs.items() if isinstance(value, tuple) and name not in resized]
        if not cells:
            return self._columns
        loops = self.info.level.loops
        return [
            columns + sum(more for name, more in cells if name in loop.columns)
            for columns, loop in zip(self._columns, loops, strict=True)
        ]

    @cached_property
    def _columns(self) -> list[int]:
        """The number of columns of each loop of the level, without arrays whose length only a run decides."""
        return [sum(name not in self._resized for name in loop.columns) for loop in self.info.level.loops]

    @cached_property
    def _resized(self) -> frozenset[str]:
        return self.info.level.resized

    def repeat(self, start: RunStart, *, limits: RunLimits = DEFAULT_LIMITS, record: bool = True) -> Run:
        """The run that a result of the engine or of an agent tells, made again."""
        program = self.alone(start.function) if start.function else self
        program = program.checking_claims if start.claims else program
        return program.run(start.inputs, limits=limits, seed=start.seed, choices=start.choices, record=record)

    def inputs(self, given: Mapping[str, Given]) -> dict[str, Value]:
        """The values of all parameters, in their order. Raises `InputError`, saying what was expected, where they do not fit."""
        from idg.sip.values import InputError, bounded_repr, read_value

        params = self.params
        wanted = ", ".join(f"{name} ({kind})" for name, kind in params.items()) or "no inputs"
        missing = [name for name in params if name not in given]
        extra = [name for name in given if name not in params]
        if extra:
            raise InputError(f"{bounded_repr(extra[0])} is not an input of this program; it takes {wanted}")
        if missing:
            raise InputError(f"no value given for {', '.join(missing)}; the program takes {wanted}")
        values: dict[str, Value] = {}
        for name, kind in params.items():
            value = given[name]
            try:
                values[name] = read_value(value, kind)
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        return values

    @cached_property
    def _recording(self) -> Compiled:
        from idg.sip.running.compiler import compile_level

        return compile_level(self.info, record=True, claims=self._claims)

    @cached_property
    def _bare(self) -> Compiled:
        from idg.sip.running.compiler import compile_level

        return compile_level(self.info, record=False, claims=self._claims)

    def __reduce__(self) -> tuple[Callable[[str, str, bool], Program], tuple[str, str, bool]]:
        """Pickled as its text: compiled code cannot be, and a tree may be deeper than pickle can go."""
        return _load_focused, (self.text, self.level.name, self._claims)

    def __str__(self) -> str:
        return print_program(self.module)

    def __repr__(self) -> str:
        params = ", ".join(f"{name}: {kind}" for name, kind in self.params.items())
        guarantee = " & ".join(map(print_expression, self.guarantee))
        count = len(self.loops)
        loops = f"{count or 'no'} loop{'s' * (count != 1)}"
        return f"<Program {self.level.name}({params}), {loops}, guarantee: {guarantee or 'none'}>"

    def _repr_html_(self) -> str:
        from idg.sip.running.tables import html_program

        return html_program(str(self))


def _final_asserts(statements: tuple[Stmt, ...]) -> tuple[Expr, ...]:
    """The conditions of the asserts after which nothing else follows."""
    conditions: list[Expr] = []
    for statement in reversed(statements):
        if not isinstance(statement, Assert):
            break
        conditions.append(statement.condition)
    return tuple(reversed(conditions))
