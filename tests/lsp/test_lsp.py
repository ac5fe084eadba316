"""`idg lsp` over standard input and output, with pygls's own client. One server serves all tests of this module."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from idg.lsp.positions import TextPositions
from idg.sip.text.formatter import format_program
from tests.support.programs.known_levels import known_level
from tests.support.waiting import HANG_SECONDS

COUNTING = """\
fn main(n: nat) {
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert(i = n);
}
"""
PROVED = COUNTING.replace("while (", "while [i <= n] (")
HARD = """\
fn main(n, k: nat) {
  var x, y, z: int;
  x := 1;
  y := 1;
  z := 0;
  while (z < n) {
    x := x * y + k * z^3;
    y := y * x + 1;
    z := z + 1;
  }
  assert(x % 7 != 3 | y^2 > n);
}
"""
"""A program that keeps the agent busy for long."""

Answer = TypeVar("Answer")


class Editor:
    """An editor with one server process. Each document that it opens has a name of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.client = LanguageClient("tests", "1")
        self.shown: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.analysed: asyncio.Queue[Any] = asyncio.Queue()
        self.said: list[str] = []
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        self.progress: list[types.ProgressParams] = []
        self.numbers = itertools.count(1)
        feature = self.client.feature
        feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self.shown.put_nowait(params))
        feature("idg/analysed")(lambda params: self.analysed.put_nowait(params))
        feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.said.append(params.message))
        feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)
        feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        feature(types.PROGRESS)(lambda params: self.progress.append(params))
        feature(types.WORKSPACE_APPLY_EDIT)(lambda params: self._apply(params))

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.edits.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    def do(self, work: Awaitable[Answer]) -> Answer:
        async def bounded() -> Answer:
            async with asyncio.timeout(HANG_SECONDS):
                return await work

        return self.loop.run_until_complete(bounded())

    async def start(self) -> types.InitializeResult:
        await self.client.start_io(sys.executable, "-m", "idg", "lsp", "--stdio")
        lenses = types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        window = types.WindowClientCapabilities(work_done_progress=True)
        capabilities = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(code_lens=lenses), window=window)
        result = await self.client.initialize_async(types.InitializeParams(capabilities))
        self.client.initialized(types.InitializedParams())
        return result

    async def stop(self) -> int | None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        await server.wait()
        for task in self.client._async_tasks:
            await task
        code: int | None = server.returncode
        return code

    @property
    def process(self) -> int:
        assert self.client._server is not None
        process: int = self.client._server.pid
        return process

    def open(self, text: str, name: str = "", language: str = "sip") -> Document:
        document = Document(self, name or f"file:///{next(self.numbers)}.sip")
        item = types.TextDocumentItem(document.uri, language, document.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        document.text = text
        return document

    async def run(self, command: str, *arguments: object) -> Any:
        return await self.client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


class Document:
    """A document that the editor shows."""

    def __init__(self, editor: Editor, uri: str) -> None:
        self.editor = editor
        self.uri = uri
        self.version = 1
        self.text = ""

    @property
    def name(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def change(self, text: str) -> None:
        self.version += 1
        self.text = text
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.editor.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def place(self, part: str) -> types.Position:
        return TextPositions(self.text).position(self.text.index(part))

    async def problems(self) -> list[types.Diagnostic]:
        """What is shown next of this version."""
        while True:
            shown = await self.editor.shown.get()
            if (shown.uri, shown.version) == (self.uri, self.version):
                return list(shown.diagnostics)

    async def unproved(self) -> list[types.Diagnostic]:
        """What is shown of this version when it was analysed."""
        await self.analysis()
        shown = [await self.editor.shown.get() for _ in range(self.editor.shown.qsize())]
        return [list(news.diagnostics) for news in shown if (news.uri, news.version) == (self.uri, self.version)][-1]

    async def analysis(self) -> Any:
        """The news that this version was analysed."""
        while True:
            news = await self.editor.analysed.get()
            if (news.uri, news.version) == (self.uri, self.version):
                return news

    async def lenses(self) -> list[tuple[int, str]]:
        found_lenses = await self.editor.client.text_document_code_lens_async(types.CodeLensParams(self.name))
        return [(lens.range.start.line + 1, lens.command.title) for lens in found_lenses or [] if lens.command]

    async def hover(self, part: str) -> str:
        hover = await self.editor.client.text_document_hover_async(types.HoverParams(self.name, self.place(part)))
        if hover is None:
            return ""
        assert isinstance(hover.contents, types.MarkupContent)
        return str(hover.contents.value)

    async def fixes(self) -> list[types.CodeAction]:
        return [action for action in await self.actions() if isinstance(action, types.CodeAction)]

    async def actions(self, problems: list[types.Diagnostic] | None = None) -> list[types.Command | types.CodeAction]:
        """What is offered at these problems."""
        start = types.Position(0, 0)
        context = types.CodeActionContext(problems or [])
        actions = await self.editor.client.text_document_code_action_async(
            types.CodeActionParams(self.name, types.Range(start, start), context)
        )
        return list(actions or [])

    def applied(self, edit: types.WorkspaceEdit | None) -> str:
        """The text after an edit, which must be made for this version."""
        assert edit is not None
        assert edit.document_changes is not None
        [change] = edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.version == self.version
        positions, text = TextPositions(self.text), self.text
        for part in reversed(change.edits):
            assert isinstance(part, types.TextEdit)
            text = text[: positions.offset(part.range.start)] + part.new_text + text[positions.offset(part.range.end) :]
        return text


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    loop = asyncio.new_event_loop()
    editor = Editor(loop)
    result = editor.do(editor.start())
    assert result.capabilities.text_document_sync is not None
    yield editor
    assert editor.do(editor.stop()) == 0
    loop.close()


def story(told: Callable[[Editor], Awaitable[None]]) -> Callable[[Editor], None]:
    def test(editor: Editor) -> None:
        editor.do(told(editor))

    return test


@story
async def test_problems_are_shown_while_typing(editor: Editor) -> None:
    document = editor.open(COUNTING.replace("var i: int;", "var i: int; # 🙂 x\n  j := 1;"))
    [problem] = await document.problems()
    assert problem.severity is types.DiagnosticSeverity.Error
    assert problem.code == "unknown-name"
    assert problem.range.start == types.Position(2, 2)
    document.change(COUNTING.replace("i := i + 1;", "i = i + 1;"))
    [problem] = await document.problems()
    assert "hint: " in problem.message
    assert await document.lenses() == [], "nothing is said of a text that is no program"
    document.change(COUNTING)
    assert await document.problems() == []


@story
async def test_what_is_proved_and_what_is_not(editor: Editor) -> None:
    document = editor.open(COUNTING)
    news = await document.analysis()
    assert (news.proved, news.summary) == (False, "0 of 1 obligations proved")
    lenses = await document.lenses()
    assert (4, "the loop states no invariant") in lenses
    assert {(line, title) for line, title in lenses if line == 4} >= {(4, "ask for a hint"), (4, "let the agent try")}
    [state] = [title for line, title in lenses if line == 7 and title.startswith("not proved: state ")]
    assert "i = " in state
    document.change(PROVED)
    news = await document.analysis()
    assert news.proved
    told = "proved: all 3 obligations hold in every run; the second verifier confirms it"
    assert await document.lenses() == [(1, told), (4, "invariant proved"), (7, "proved")]


@story
async def test_problems_of_proofs_tell_states_and_runs(editor: Editor) -> None:
    document = editor.open(COUNTING.replace("while (", "while [i < n] ("))
    entry, step, *_ = await document.unproved()
    assert entry.severity is types.DiagnosticSeverity.Error, "the run n = 0 really fails"
    assert "this run fails: n = 0" in entry.message
    assert step.code in ("fails", "not-proved")
    document.change(COUNTING)
    [problem] = await document.unproved()
    assert problem.severity is types.DiagnosticSeverity.Warning
    assert problem.code == "not-proved"
    assert "does not exclude: " in problem.message
    assert {action.title for action in await document.actions([problem])} == {"Ask for a hint", "Let the agent look for invariants"}


@story
async def test_the_layout_is_the_formatters(editor: Editor) -> None:
    document = editor.open(COUNTING.replace("  ", "\t\t").replace("\n", "\r\n"))
    options = types.FormattingOptions(2, True)
    edits = await editor.client.text_document_formatting_async(types.DocumentFormattingParams(document.name, options))
    assert edits is not None
    [edit] = edits
    assert edit.new_text == format_program(COUNTING).replace("\n", "\r\n")
    document.change(COUNTING + "}")
    assert await editor.client.text_document_formatting_async(types.DocumentFormattingParams(document.name, options)) is None


@story
async def test_hovers_tell_types_values_and_meanings(editor: Editor) -> None:
    document = editor.open(
        "fn twice(x: nat): nat { post(result = 2 * x); return 2 * x; }\n" + known_level("int-square-root").source
    )
    await document.analysis()
    table = await document.hover("while")
    assert "| row | n | cnt | sqr | odd |" in table
    assert "| 2 | 16 | 1 | 4 | 3 |" in table
    assert "At loop 1 of the run with n = 16: 0, 1, 2, 3, 4" in await document.hover("cnt + 1;")
    assert "cnt: int" in await document.hover("cnt + 1;")
    assert "post(result = 2 * x);" in await document.hover("twice")
    assert "What is guaranteed" in await document.hover("post(")


@story
async def test_completion_knows_variables_of_a_broken_text(editor: Editor) -> None:
    document = editor.open(COUNTING.replace("i := i + 1;", "i := "))
    params = types.CompletionParams(document.name, types.Position(4, 9))
    items = await editor.client.text_document_completion_async(params)
    assert isinstance(items, list | tuple)
    labels = {item.label: item.detail for item in items}
    assert (labels["i"], labels["n"]) == ("int", "nat")
    assert {"while", "assert", "gcd"} <= labels.keys()


@story
async def test_a_hint_leads_to_a_quick_fix_that_proves(editor: Editor) -> None:
    document = editor.open(COUNTING)
    await document.analysis()
    for _ in range(9):
        told = await editor.run("idg.hint", document.uri)
        assert await document.fixes() == [] or "Propose" in told, "the quick fix would tell too early"
        if "Propose" in told:
            break
    assert editor.said[-1] == told
    [fix] = await document.fixes()
    assert fix.title == "Insert the proved invariant i <= n: they prove the program"
    assert any(title == fix.title for _, title in await document.lenses())
    document.change(document.applied(fix.edit))
    assert document.text == PROVED
    assert (await document.analysis()).proved
    assert await document.fixes() == [], "it was an offer for the text before"
    assert await editor.run("idg.hint", document.uri) == "Everything is proved: there is nothing to hint at."


@story
async def test_the_agent_finds_invariants_and_inserts_them(editor: Editor) -> None:
    document = editor.open(COUNTING)
    await document.analysis()
    answer = await editor.run("idg.agent", document.uri)
    assert answer["outcome"] == "solved"
    assert answer["invariants"]
    kinds = [params.value["kind"] for params in editor.progress if isinstance(params.value, dict)]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert await editor.run("idg.insert", document.uri, document.version, 0)
    document.change(document.applied(editor.edits[-1].edit))
    assert (await document.analysis()).proved
    assert not await editor.run("idg.insert", document.uri, 1, 0), "the text has changed since"


@story
async def test_the_agent_tells_the_run_that_breaks_a_program(editor: Editor) -> None:
    document = editor.open(COUNTING.replace("i = n", "i != 5"))
    await document.analysis()
    answer = await editor.run("idg.agent", document.uri)
    assert answer["outcome"] == "refuted"
    assert "n = 5" in answer["message"]
    assert await document.fixes() == []


@story
async def test_a_newer_edit_ends_the_work_on_older_ones(editor: Editor) -> None:
    document = editor.open(HARD)
    await document.problems()
    searching = asyncio.ensure_future(editor.run("idg.agent", document.uri))
    await asyncio.sleep(0)
    assert await document.hover("x, y") != "", "the server answers while the agent searches"
    for text in (COUNTING, HARD, COUNTING, PROVED):
        document.change(text)
    assert (await document.analysis()).proved
    assert await searching is None
    assert editor.analysed.empty(), "nothing is told of versions in between"


@story
async def test_the_agents_search_can_be_cancelled(editor: Editor) -> None:
    document = editor.open(HARD)
    await document.problems()
    editor.progress.clear()
    searching = asyncio.ensure_future(editor.run("idg.agent", document.uri))
    while not editor.progress:
        await asyncio.sleep(0.01)
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(editor.progress[0].token))
    assert await searching is None
    document.change(PROVED)
    assert (await document.analysis()).proved


@story
async def test_a_process_that_dies_is_told_and_replaced(editor: Editor) -> None:
    document = editor.open(COUNTING)
    await document.analysis()
    for process in descendants(editor.process)[1:]:  # The first one is the process that the others are forked from.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    document.change(COUNTING + "# another text\n")
    await document.problems()
    [problem] = await document.problems()
    assert problem.code == "no-analysis"
    assert await document.lenses() == []
    document.change(PROVED + "# yet another\n")
    assert (await document.analysis()).proved


def descendants(process: int) -> list[int]:
    """The process that jobs are forked from, and those that are forked from it. Others may end while they are looked for."""
    parents, forking = {}, set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if "forkserver" in (folder / "cmdline").read_text():
                forking.add(int(folder.name))
    forked_from = [child for child in forking if parents[child] == process]
    return [*forked_from, *(child for child, parent in parents.items() if parent in forked_from)]


@story
async def test_a_closed_document_has_no_problems(editor: Editor) -> None:
    document = editor.open(COUNTING + "}")
    assert await document.problems()
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document.name))
    shown = await editor.shown.get()
    assert (shown.uri, len(shown.diagnostics)) == (document.uri, 0)
    assert await editor.run("idg.agent", document.uri) is None
    with pytest.raises(JsonRpcException):
        await editor.run("idg.unknown")


ROOT_IN_PYTHON = """\
# The largest number whose square is at most n, with a sign that has two units in UTF-16: \U0001d11e
def root(n: int) -> int:
    assert n >= 0
    cnt, sqr, odd = 0, 1, 1
    while sqr <= n:
        cnt += 1
        odd += 2
        sqr += odd
    assert cnt**2 <= n < (cnt + 1) ** 2
    return cnt
"""
SUM_IN_C = """\
#include "wanted.h"
int main() {
  int n = wanted(), i = 0, s = 0;
  if (n < 0) n = 0;
  //@ loop invariant 0 <= i <= n && s == BY * i;
  while (i < n) {
    s += BY;
    i++;
  }
  assert(s == BY * n);
}
"""


def test_a_python_file_is_told_of_at_its_own_places(editor: Editor) -> None:
    async def edits() -> None:
        document = editor.open(ROOT_IN_PYTHON, "file:///root.py", "python")
        shown = await document.unproved()
        [unproved] = [problem for problem in shown if problem.severity is types.DiagnosticSeverity.Warning]
        assert document.text.splitlines()[unproved.range.start.line].strip() == "assert cnt**2 <= n < (cnt + 1) ** 2"
        assert unproved.range.start.character == 4
        assert "is not proved" in unproved.message
        assert [(note.range.start.line, note.severity) for note in shown if note.code == "reading"] == [
            (2, types.DiagnosticSeverity.Hint)
        ]
        lenses = await document.lenses()
        assert {(2, "0 of 1 obligations proved"), (5, "let the agent try"), (9, "let the agent try")} <= set(lenses)
        assert await document.hover("cnt") == ""
        answer = await editor.run("idg.agent", document.uri)
        assert answer["outcome"] == "solved"
        assert "quick fix" not in editor.said[-1]
        # Invariants of SIP are not put into a Python text.
        assert not await document.fixes()
        document.change(ROOT_IN_PYTHON.replace("cnt += 1", "cnt += 1.5"))
        [refused] = await document.problems()
        assert (refused.code, refused.range.start.line, refused.range.start.character) == ("outside-the-subset", 5, 15)
        assert "floating point" in refused.message
        document.change(ROOT_IN_PYTHON.replace("odd += 2", "odd += 3"))
        fails = [problem for problem in await document.unproved() if problem.code == "fails"]
        assert [problem.range.start.line for problem in fails] == [8]
        nameless = editor.open(ROOT_IN_PYTHON.replace("sqr <= n", "sqr < n"), "untitled:Untitled-1", "python")
        assert not (await nameless.analysis()).proved

    editor.do(edits())


def test_a_c_file_is_proved_with_what_it_states(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "wanted.h").write_text("#define BY 3\nint wanted(void);\n", encoding="utf-8")

    async def edits() -> None:
        document = editor.open(SUM_IN_C, (tmp_path / "sum.c").as_uri(), "c")
        news = await document.analysis()
        assert news.proved
        lenses = await document.lenses()
        assert (6, "invariant proved") in lenses
        assert (10, "proved") in lenses
        document.change(SUM_IN_C.replace("s == BY * n", "s == BY * n + 1"))
        assert {(problem.code, problem.range.start.line) for problem in await document.unproved() if problem.code != "reading"} == {
            ("fails", 9)
        }
        document.change(SUM_IN_C.replace("wanted.h", "elsewhere.h"))
        refused = (await document.problems())[-1]
        assert (refused.code, refused.range.start.line) == ("outside-the-subset", 0)

    editor.do(edits())
