"""The language server: what the editor asks, and what it is told. Nothing here waits for a proof."""

from __future__ import annotations

import asyncio
import os
import sys
from uuid import uuid4

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from idg import __version__
from idg.lsp.documents import EditedText, OpenDocuments
from idg.lsp.jobs import AgentAnswer, ProvedInsertion
from idg.lsp.reading import reading_diagnostics
from idg.lsp.shown import (
    AGENT_COMMAND,
    HINT_COMMAND,
    INSERT_COMMAND,
    SOURCE,
    analysis_diagnostics,
    lenses,
    problem_diagnostics,
    summary,
)
from idg.lsp.words import completions, hover_text, token_at
from idg.sip.errors import SipError
from idg.sip.syntax import Span
from idg.sip.text.formatter import format_file

ANALYSED = "idg/analysed"
"""The notification that an analysis is complete, for a client that shows the state of the program elsewhere."""


class EditorServer:
    """The server of one editor. Documents are sent whole at each change: they are small, and editors count lines differently."""

    def __init__(self) -> None:
        self.lsp = LanguageServer("idg", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.documents = OpenDocuments(self.show, self.refresh_lenses)

    def show(self, edited: EditedText) -> None:
        """Tells the editor what is known of a text now."""
        diagnostics: list[types.Diagnostic] = []
        if edited.problems is not None:
            diagnostics = problem_diagnostics(edited.problems, edited.positions)
        elif edited.analysis is not None:
            diagnostics = analysis_diagnostics(edited.analysis, edited.places)
        elif edited.failure:
            place = edited.places.range(Span(0, 0))
            told = f"This program could not be analysed: {edited.failure}"
            diagnostics = [types.Diagnostic(place, told, types.DiagnosticSeverity.Information, code="no-analysis", source=SOURCE)]
        if edited.read is not None:
            diagnostics += reading_diagnostics(edited.read, edited.positions)
        self.lsp.text_document_publish_diagnostics(types.PublishDiagnosticsParams(edited.uri, diagnostics, edited.version))
        if edited.analysis is not None:
            told = summary(edited.analysis)
            news = {"uri": edited.uri, "version": edited.version, "proved": edited.analysis.proved, "summary": told}
            self.lsp.protocol.notify(ANALYSED, news)
        self.refresh_lenses()

    def refresh_lenses(self) -> None:
        if self.refreshes_lenses:
            self.lsp.workspace_code_lens_refresh(None)

    @property
    def refreshes_lenses(self) -> bool:
        """Whether the editor can be told that lenses have changed."""
        workspace = self.lsp.client_capabilities.workspace
        return bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support)

    @property
    def shows_progress(self) -> bool:
        window = self.lsp.client_capabilities.window
        return bool(window and window.work_done_progress)

    def say(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        self.lsp.window_show_message(types.ShowMessageParams(kind, text))


def make_server() -> EditorServer:
    server = EditorServer()
    _documents(server)
    _questions(server)
    _offers(server)
    _commands(server)
    return server


def _documents(server: EditorServer) -> None:
    documents = server.documents

    def initialized(_: types.InitializedParams) -> None:
        documents.warm_up()

    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        documents.edited(document.uri, document.version, document.text, document.language_id)

    def changed(params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        documents.edited(document.uri, document.version, params.content_changes[-1].text)

    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        documents.closed(uri)
        server.lsp.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def shutdown(_: None) -> None:
        documents.close_all()

    for name, handler in (
        (types.INITIALIZED, initialized),
        (types.TEXT_DOCUMENT_DID_OPEN, opened),
        (types.TEXT_DOCUMENT_DID_CHANGE, changed),
        (types.TEXT_DOCUMENT_DID_CLOSE, closed),
        (types.SHUTDOWN, shutdown),
    ):
        server.lsp.feature(name)(handler)


def _questions(server: EditorServer) -> None:
    documents = server.documents

    def formatted(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        edited = documents.get(params.text_document.uri)
        if edited is None or edited.language != "SIP":
            return None
        try:
            text = format_file(edited.text)
        except SipError:
            return None  # The problems are shown; a text that is no program stays as it is.
        if text == edited.text:
            return []
        return [types.TextEdit(edited.positions.range(Span(0, len(edited.text))), text)]

    async def hover(params: types.HoverParams) -> types.Hover | None:
        edited = documents.get(params.text_document.uri)
        if edited is None or edited.program is None or edited.language != "SIP":
            return None
        token = token_at(edited.text, edited.positions.offset(params.position))
        if token is None:
            return None
        tables = await documents.tables(edited) if token.kind in ("name", "result", "while") else ()
        text = hover_text(edited.program, token, tables)
        place = edited.positions.range(token.span)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place) if text else None

    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        edited = documents.get(params.text_document.uri)
        if edited is None or edited.language != "SIP":
            return []
        return list(completions(edited.text, edited.positions.offset(params.position)))

    for name, handler in (
        (types.TEXT_DOCUMENT_FORMATTING, formatted),
        (types.TEXT_DOCUMENT_HOVER, hover),
        (types.TEXT_DOCUMENT_COMPLETION, completion),
    ):
        server.lsp.feature(name)(handler)


def _offers(server: EditorServer) -> None:
    documents = server.documents

    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        edited = documents.get(params.text_document.uri)
        while edited is not None and not server.refreshes_lenses and not edited.settled.is_set():
            await edited.settled.wait()
            edited = documents.get(params.text_document.uri)
        if edited is None or edited.program is None or edited.failure:
            return []
        shown = list(lenses(edited.program, edited.analysis, edited.places, edited.uri))
        for number, insertion in enumerate(edited.offered):
            place = edited.positions.range(Span(insertion.parts[0].offset, insertion.parts[0].offset))
            line = types.Range(types.Position(place.start.line, 0), types.Position(place.start.line, 0))
            arguments = [edited.uri, edited.version, number]
            shown.append(types.CodeLens(line, types.Command(_title(insertion), INSERT_COMMAND, arguments=arguments)))
        return shown

    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        edited = documents.get(params.text_document.uri)
        if edited is None or edited.program is None:
            return []
        unproved = [problem for problem in params.context.diagnostics if problem.code in ("not-proved", "unknown")]
        actions = [
            types.CodeAction(
                _title(insertion),
                kind=types.CodeActionKind.QuickFix,
                diagnostics=unproved or None,
                is_preferred=insertion.proves_all,
                edit=_workspace_edit(edited, insertion),
            )
            for insertion in edited.offered
        ]
        if unproved and edited.program.loops:
            for title, command in (("Ask for a hint", HINT_COMMAND), ("Let the agent look for invariants", AGENT_COMMAND)):
                asked = types.Command(title, command, arguments=[edited.uri])
                actions.append(types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics=unproved, command=asked))
        return actions

    server.lsp.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lens)
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    server.lsp.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(code_actions)


def _title(insertion: ProvedInsertion) -> str:
    """What an insertion does, in words that say what was proved."""
    told = ", ".join(fact.text for fact in insertion.facts)
    many = f"{len(insertion.facts)} proved invariants" if len(insertion.facts) > 1 else "the proved invariant"
    return f"Insert {many} {told}" + (": they prove the program" if insertion.proves_all else "")


def _workspace_edit(edited: EditedText, insertion: ProvedInsertion) -> types.WorkspaceEdit:
    def change(offset: int, text: str) -> types.TextEdit:
        return types.TextEdit(edited.positions.range(Span(offset, offset)), text)

    changes = [change(part.offset, part.text) for part in insertion.parts]
    document = types.OptionalVersionedTextDocumentIdentifier(edited.uri, edited.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, changes)])


def _commands(server: EditorServer) -> None:
    documents = server.documents

    async def hint(uri: str) -> str | None:
        edited = documents.get(uri)
        if edited is None or edited.program is None:
            return None
        told = await documents.next_hint(edited)
        server.say(told)
        return told

    async def agent(uri: str) -> dict[str, object] | None:
        edited = documents.get(uri)
        if edited is None or edited.program is None:
            return None
        answer = await _with_progress(server, edited)
        if answer is None:
            return None
        told = _agent_told(answer, edited.language == "SIP")
        server.say(told)
        facts = answer.insertion.facts if answer.insertion else ()
        return {
            "outcome": answer.outcome,
            "message": told,
            "invariants": [{"loop": fact.loop, "expression": fact.text} for fact in facts],
        }

    async def insert(uri: str, version: int | None, number: int) -> bool:
        edited = documents.get(uri)
        if edited is None or edited.version != version or not 0 <= number < len(edited.offered):
            server.say("The text has changed meanwhile, so nothing is inserted.", types.MessageType.Warning)
            return False
        edit = _workspace_edit(edited, edited.offered[number])
        result = await server.lsp.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label="Insert proved invariants"))
        return bool(result.applied)

    for name, command in ((HINT_COMMAND, hint), (AGENT_COMMAND, agent), (INSERT_COMMAND, insert)):
        server.lsp.command(name)(command)


async def _with_progress(server: EditorServer, edited: EditedText) -> AgentAnswer | None:
    """What the agent comes to. Its rounds are shown while it searches, and whoever asked can cancel it; then there is no answer."""
    progress, token = server.lsp.work_done_progress, str(uuid4())

    def tell(line: str) -> None:
        if server.shows_progress:
            progress.report(token, types.WorkDoneProgressReport(message=line))

    if server.shows_progress:
        await progress.create_async(token)
        progress.begin(token, types.WorkDoneProgressBegin("The agent looks for invariants", cancellable=True))
    search = edited.spawn(server.documents.agent(edited, tell))
    if server.shows_progress:
        loop = asyncio.get_running_loop()
        progress.tokens[token].add_done_callback(lambda _: loop.call_soon_threadsafe(search.cancel))
    try:
        return await search
    except asyncio.CancelledError:
        return None
    finally:
        if server.shows_progress:
            progress.end(token, types.WorkDoneProgressEnd())


def _agent_told(answer: AgentAnswer, inserts: bool) -> str:
    """`inserts`: whether the text can have invariants of SIP, so that a quick fix is offered."""
    if answer.outcome == "refuted":
        return f"A run breaks this program: {answer.message}"
    if answer.insertion is None:
        return "The agent found nothing that is proved and not stated yet."
    facts = ", ".join(fact.text for fact in answer.insertion.facts)
    if answer.insertion.proves_all:
        return f"The agent proved the program. {'A quick fix inserts its' if inserts else 'Its'} invariants: {facts}"
    fix = ", and a quick fix inserts them" if inserts else ""
    return f"The agent found no proof of the whole program. These invariants are proved{fix}: {facts}"


def serve() -> None:
    """Speaks the protocol over standard input and output until the editor leaves.

    Whatever else is printed, by a solver or by a job, goes to standard error, because it would break the protocol."""
    reader = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    writer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    make_server().lsp.start_io(reader, writer)
