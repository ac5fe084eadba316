"""`idg play --terminal`: the player looks at the trace and proposes facts, the engine answers, until the guarantee is proved."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping

from idg.agents.hints import HintSteps, NoHint
from idg.cli.colours import coloured
from idg.cli.errors import SUCCESS, UsageError
from idg.cli.programs.levels import difficulty_word, input_text, level_list
from idg.cli.programs.texts import load_program
from idg.engine.session import Session
from idg.engine.states.inputs import first_inputs
from idg.engine.telling.messages import fact_told, feedback_message
from idg.engine.termination.messages import ending_message
from idg.engine.termination.moves import listed_measures
from idg.engine.termination.results import EndingStatus
from idg.engine.termination.texts import is_endless_claim
from idg.levels import Level, all_levels, find_level
from idg.sip.errors import SipError
from idg.sip.program import Program, load
from idg.sip.record import Record
from idg.sip.running.tables import evaluation_table, trace_table, trace_title
from idg.sip.running.trace import Run
from idg.sip.syntax import Assert, Return, Type
from idg.sip.text.printer import print_expression
from idg.sip.values import InputError, ValueJson, format_value, typed_inputs

ROWS_SHOWN = 24
"""How many rows of a trace are shown, so that a table fits the screen; of a longer one, rows in the middle are left out."""
PLAIN_COMMANDS = (
    "help",
    "program",
    "trace",
    "run",
    "loop",
    "facts",
    "why",
    "state",
    "hint",
    "explain",
    "reset",
    "levels",
    "level",
    "next",
)
"""The commands that are also understood without their colon."""
NUMBER_CHARS_MAX = 9
"""How many digits a seed or a loop's number may have; Python refuses to read very long numbers."""

ASKS_FOR_END = (
    "This level asks for more: does every run end? Propose a measure (decreases …), or name a run that does not (endless …)."
)
"""What the game says when the guarantee is proved of a level that also asks whether its runs end."""

HELP = """\
  Type an expression over the variables of the table:
    res = n * cnt        a Boolean one is checked in every row, ✓ holds or ✗ fails; one that holds is proposed as an invariant
    n * cnt              a numeric one shows its value in every row
    decreases m - cnt    a measure, which must fall in every turn, so that the loop ends
    endless n=3, m=0      the run from these inputs is said never to end
  or a command:
    :facts               your inductive and potential invariants, and what could not be decided
    :why EXPRESSION      why a potential invariant is not proved yet
    :state               another state to rule out
    :hint                a step towards a fact that helps, or towards a measure
    :explain             what is proved, and from what
    :run n=3 m=4         show the trace for these inputs          :run        the level's own inputs
    :run seed=7          the same inputs, with other choices (where the program makes some)
    :trace               show the trace again                     :program    show the program again
    :loop 2              look at another loop                     :reset      start this level again
    :levels              list the levels                          :level 5    go to another level   :next
    :help   :quit"""


def play(options: argparse.Namespace) -> int:
    print("The Invariant Discovery Game, in the terminal\n")
    if options.level is None:
        level: Level | OwnProgram | None = _ask_for_level()
    else:
        level = find_level(options.level) or own_program(options.level)
    while level is not None:
        level = TerminalGame(level).play()
    print("Bye.")
    return SUCCESS


class OwnProgram(Record):
    """A program of the player's own, which is played like a level."""

    id: str
    source: str
    inputs: Mapping[str, ValueJson]
    """The inputs of the trace that is shown first."""
    guarantee: str
    """What is to be proved, as it is shown to the player."""

    def program(self) -> Program:
        return load(self.source)


def own_program(file: str) -> OwnProgram:
    """The program in a file. Raises UsageError or SipError where there is none that can be played."""
    if not os.path.exists(file):
        raise UsageError(f"there is no level '{file}' ('idg levels' lists them), nor a file of that name")
    program = load_program(file)
    if not program.loops:
        raise UsageError(f"{file} has no loop, so there is nothing to find out about it")
    inputs = {name: format_value(value) for name, value in first_inputs(program).items()} if program.params else {}
    last = program.level.body.statements[-1:]
    promised = [*program.level.posts, *(statement.condition for statement in last if isinstance(statement, Assert))]
    guarantee = "; ".join(map(print_expression, promised)) or "every assert, claim and stated invariant"
    return OwnProgram(os.path.basename(file).removesuffix(".sip"), program.text, inputs, guarantee)


def _ask_for_level() -> Level | None:
    print(level_list())
    while True:
        answer = _ask("\nWhich level (name or number, Enter for the first)? ")
        if answer is None or answer in (":quit", ":q", "quit"):
            return None
        level = find_level(answer or "1")
        if level is not None:
            print()
            return level
        print(f"There is no level '{answer}'.")


def _ask(prompt: str) -> str | None:
    """A line from the player; None at the end of the input."""
    try:
        answer = input(prompt)
    except EOFError:
        print()
        return None
    if not sys.stdin.isatty():
        print(answer)
    return answer.strip()


class TerminalGame:
    """One player's game at one level: the trace that is shown, and the session with the engine."""

    def __init__(self, level: Level | OwnProgram) -> None:
        self.level = level
        self.program: Program = level.program()
        self.loop = 1
        self.chooses = self.program.level.name in self.program.info.choosing
        self.seed = 0
        self.run: Run = self.program.run(level.inputs)
        self.session = Session(self.program)
        self.ending: EndingStatus = "open"
        """What the player was told of the end of the program's runs."""
        self.hints = HintSteps()

    def play(self) -> Level | None:
        """Plays until the player leaves; returns the level to go to next, or None."""
        level = self.level
        if isinstance(level, Level):
            print(f"{level.title} ({difficulty_word(level)})\n{level.text}\n")
        self.show_program()
        self.show_trace()
        print("\nFind facts that hold every time the loop comes round, until they prove the goal. :help explains.\n")
        print(feedback_message(self.session.feedback, self.program))
        while True:
            line = _ask(f"\n{level.id}> ")
            if line is None or line in (":quit", ":q", ":exit", "quit", "exit"):
                return None
            if line.startswith(":") or self.is_plain_command(line):
                command, _, rest = line.removeprefix(":").partition(" ")
                going_to = self.command(command, rest.strip())
                if going_to is not None:
                    print()
                    return going_to
            elif line:
                self.expression(line)

    def is_plain_command(self, line: str) -> bool:
        """Whether this is a command without its colon, which people forget. `run n=3` is one unless a variable is called `run`."""
        word, _, rest = line.partition(" ")
        if word not in PLAIN_COMMANDS or any(word in info.variables for info in self.program.info.functions.values()):
            return False
        if word == "run":
            return typed_inputs(rest) is not None
        return not rest or word == "why" or (word in ("loop", "level") and rest.strip().replace("-", "").isalnum())

    def command(self, command: str, rest: str) -> Level | None:
        """Carries out a command; returns the level to go to, or None to stay at this one."""
        match command:
            case "help" | "h" | "?":
                print(HELP)
            case "program" | "p":
                self.show_program()
            case "trace" | "t":
                self.show_trace()
            case "run" | "r":
                self.change_inputs(rest)
            case "loop":
                self.change_loop(rest)
            case "facts" | "f":
                self.show_facts()
            case "why" | "w":
                self.show_why(rest)
            case "state" | "s":
                print(self.session.another_state())
            case "hint":
                self.hint()
            case "explain" | "e":
                print(self.session.explain())
            case "reset":
                self.session, self.ending, self.hints = Session(self.program), "open", HintSteps()
                print(feedback_message(self.session.feedback, self.program))
            case "levels":
                print(level_list())
            case "level":
                level = find_level(rest)
                if level is None:
                    print(f"There is no level '{rest}'. :levels lists them.")
                return level
            case "next" | "n":
                return self.next_level()
            case _:
                print(f"There is no command ':{command}'.\n{HELP}")
        return None

    def next_level(self) -> Level | None:
        if not isinstance(self.level, Level):
            print("This is a program of your own. :level 1 goes to the first level.")
            return None
        following = all_levels()[all_levels().index(self.level) + 1 :]
        if not following:
            print("This is the last level.")
        return following[0] if following else None

    def show_program(self) -> None:
        marks: dict[int, str] = {}
        for loop in self.program.loops:
            loop_title = f"loop {loop.number}" if len(self.program.loops) > 1 else "the loop"
            marks[_line(self.level.source, loop.statement.span.start)] = f"<- the head of {loop_title}"
        for statement in self.program.level.body.statements[-1:]:
            if isinstance(statement, Assert | Return):
                marks[_line(self.level.source, statement.span.start)] = "<- the goal"
        lines = self.level.source.rstrip().splitlines()
        width = max(map(len, lines))
        for number, line in enumerate(lines, 1):
            print(f"  {number:>2}  {line:<{width}}  {marks.get(number, '')}".rstrip())
        print(f"\n  The goal: {self.level.guarantee}")

    def show_trace(self) -> None:
        trace = self.run.of(self.loop)
        inputs = ", ".join(f"{name} = {format_value(value)}" for name, value in self.run.inputs.items())
        if self.chooses:
            inputs += f"{', ' if inputs else ''}seed = {self.seed}"
        loop_title = trace_title(trace, self.run) if len(self.program.loops) > 1 else "the loop"
        print(f"\nArrivals at the head of {loop_title}, one row each{', for ' + inputs if inputs else ''}:\n")
        print(coloured(trace_table(trace, ROWS_SHOWN)))
        print(f"\nThe run: {self.run.message}.")

    def change_inputs(self, rest: str) -> None:
        given = dict(self.level.inputs)
        seed = 0
        typed = typed_inputs(rest)
        if typed is None:
            example = " ".join(f"{name}={input_text(value)}" for name, value in given.items())
            print(f"Expected inputs such as {example}, found '{rest.strip()}'.")
            return
        for name, value in typed:
            if name == "seed" and "seed" not in self.program.params:
                if not value.isdecimal() or len(value) > NUMBER_CHARS_MAX:
                    print(f"Expected a seed such as seed=7, found '{name}={value}'.")
                    return
                seed = int(value)
            else:
                given[name] = value
        try:
            run = self.program.run(given, seed=seed)
        except InputError as error:
            print(f"Not possible: {error}.")
            return
        self.run, self.seed = run, seed
        self.show_trace()

    def change_loop(self, rest: str) -> None:
        if not rest.isdecimal() or len(rest) > NUMBER_CHARS_MAX or not 1 <= int(rest) <= len(self.program.loops):
            print(f"This program has {len(self.program.loops)} loop{'s' * (len(self.program.loops) > 1)}; say :loop 1.")
            return
        self.loop = int(rest)
        self.show_trace()

    def show_facts(self) -> None:
        lists = [("inductive", self.session.inductive), ("potential", self.session.potential)]
        if self.session.unknown:
            lists.append(("unknown", self.session.unknown))
        for title, facts in lists:
            print(f"{title}:")
            for fact in facts:
                print(f"  {fact_told(fact, self.session.feedback, self.program)}")
            if not facts:
                print("  none yet")
        measures = listed_measures(self.session.books)
        if measures:
            print("measures:")
            for listed in measures:
                where = f" (loop {listed.loop})" if len(self.program.loops) > 1 else ""
                print(f"  {listed.text}{where}: {'falls' if listed.proved else 'not proved yet'}")

    def show_why(self, text: str) -> None:
        waiting = [fact.text for fact in (*self.session.potential, *self.session.unknown) if fact.loop == self.loop]
        if not text and len(waiting) == 1:
            [text] = waiting
        if not text:
            print("Say which: :why EXPRESSION, one of those that are not proved yet (:facts lists them).")
            return
        try:
            print(self.session.why(text, self.loop))
        except SipError as error:
            print(error)

    def hint(self) -> None:
        """Tells one more step."""
        try:
            following = self.hints.next(self.session.engine, self.session.books)
        except NoHint as why:
            print(f"There is no hint: {why}.")
            return
        print(following.step.message)

    def measure(self, text: str) -> None:
        """Shows how a measure falls from row to row, and proposes it."""
        trace = self.run.of(self.loop)
        try:
            components = self.program.measure(text, self.loop)
            evaluations = [trace.evaluate(print_expression(component)) for component in components]
        except SipError as error:
            print(error)
            return
        print(coloured(evaluation_table(evaluations, ROWS_SHOWN)))
        print(f"\n{self.session.propose_measure(text, self.loop)}")
        self.tell_ending()

    def endless(self, text: str) -> None:
        """Judges whether a run never ends, as the player says."""
        try:
            print(self.session.claim_endless(text))
        except InputError as error:
            print(f"Not possible: {error}.")
            return
        self.tell_ending()

    def tell_ending(self) -> None:
        """Tells what is known about the end of the program's runs, if that is new."""
        ending = self.session.known_ending()
        if ending.status != self.ending:
            self.ending = ending.status
            print(f"\n{ending_message(ending, self.program)}")

    def expression(self, text: str) -> None:
        if self.program.is_measure(text, self.loop):
            self.measure(text)
            return
        if is_endless_claim(self.program, text, self.loop):
            self.endless(text)
            return
        trace = self.run.of(self.loop)
        try:
            evaluation = trace.evaluate(text)
        except SipError as error:
            print(error)
            return
        print(coloured(evaluation_table([evaluation], ROWS_SHOWN)))
        if evaluation.type is not Type.BOOL:
            return
        if not evaluation.values:
            print(f"\nThere is nothing to check: {evaluation.summary()}.")
            return
        print(f"\nIt {evaluation.summary()}.")
        if evaluation.holds:
            self.propose(text)

    def propose(self, text: str) -> None:
        before = self.session.solved
        answer = self.session.propose(text, self.loop)
        print(f"\n{answer}")
        refutation = answer.result.refutation
        if refutation is not None and not refutation.function:
            inputs = [f"{name}={format_value(value)}" for name, value in refutation.inputs.items()]
            seed = [f"seed={refutation.seed}"] if self.chooses else []
            print(f"\nLook at the whole run with :run {' '.join(inputs + seed)}")
        if self.session.solved and not before:
            further = ", :next goes on to the next level" if isinstance(self.level, Level) else ""
            print(f"\nWell done! :explain shows what proves what{further}.")
            if isinstance(self.level, Level) and self.level.ending and self.ending == "open":
                print(ASKS_FOR_END)
        proved = self.session.measures_again()
        for measure in proved:
            print(f"\n'{measure.text}' is now proved to fall in every turn.")
        if proved:
            self.tell_ending()


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
