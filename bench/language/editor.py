"""How long an editor waits for the answer to an edit of int-square-root: `idg lsp` against Dafny's own server, both running.

Debian's Dafny (2.3) brings DafnyServer, with which the editors of its time verified while people typed; the language server of
later versions is not packaged. Both servers verify the whole text anew for each edit. Times are by the clock, because an editor
waits by the clock; edits take turns, and the median of each is taken.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from bench.timing import Figure
from idg.levels import find_level

DAFNY_SERVER = Path("/usr/lib/dafny/DafnyServer.exe")
ROUNDS = 11
"""Edits of each kind. The first one of each is not counted: it loads what later ones have."""
BETWEEN_SECONDS = 0.4
"""Seconds between two edits, as when somebody stops to think. In quicker ones idg waits for the next one on purpose."""
RATIO_MAX = 1 / 3
"""The goal: our time for an edit, divided by Dafny's."""
INVARIANTS = ("odd = 2 * cnt + 1", "sqr = (cnt + 1)^2", "cnt^2 <= n")
DAFNY = """\
method Main_(n: nat) returns (cnt: int)
  ensures cnt * cnt <= n && n < (cnt + 1) * (cnt + 1)
{{
  cnt := 0;
  var sqr := 1;
  var odd := 1;
  while sqr <= n
    invariant odd == 2 * cnt + 1 && sqr == (cnt + 1) * (cnt + 1){bound} && cnt >= -{number}
  {{
    cnt := cnt + 1;
    odd := odd + 2;
    sqr := sqr + odd;
  }}
}}
"""
URI = "file:///int-square-root.sip"


def figures() -> list[Figure]:
    if shutil.which("mono") is None or not DAFNY_SERVER.exists():
        print("editor: Dafny's server is not installed (apt-get install dafny), so nothing is measured", file=sys.stderr)
        return []
    return asyncio.run(_measured())


async def _measured() -> list[Figure]:
    ours, theirs = _Ours(), _Theirs()
    await ours.start()
    seconds: dict[tuple[str, bool], list[float]] = {}
    try:
        for number in range(1, ROUNDS + 1):
            for proved in (True, False):
                seconds.setdefault(("ours", proved), []).append(await ours.edit(number, proved))
                seconds.setdefault(("theirs", proved), []).append(await asyncio.to_thread(theirs.edit, number, proved))
                await asyncio.sleep(BETWEEN_SECONDS)
    finally:
        await ours.stop()
        theirs.stop()
    medians = {key: statistics.median(values[1:]) for key, values in seconds.items()}
    return [
        Figure(
            f"an edit of int-square-root that is {'proved' if proved else 'not proved'}, from the key to the answer",
            "DafnyServer 2.3 (Debian)",
            medians["ours", proved],
            medians["theirs", proved],
            "at most a third",
            medians["ours", proved] <= RATIO_MAX * medians["theirs", proved],
        )
        for proved in (True, False)
    ]


class _Ours:
    """`idg lsp`, and an editor that waits for the news that a version was analysed."""

    def __init__(self) -> None:
        self.client = LanguageClient("bench", "1")
        self.version = 0
        self.analysed: asyncio.Queue[dict[str, object]] = asyncio.Queue()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda _: None)
        self.client.feature("idg/analysed")(lambda news: self.analysed.put_nowait({"proved": news.proved}))

    async def start(self) -> None:
        await self.client.start_io(sys.executable, "-m", "idg", "lsp")
        await self.client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(URI, "sip", 0, _sip(0, proved=True))
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.analysed.get()

    async def edit(self, number: int, proved: bool) -> float:
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, URI)
        change = types.TextDocumentContentChangeWholeDocument(_sip(number, proved))
        start = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        answer = await self.analysed.get()
        seconds = time.perf_counter() - start
        assert answer["proved"] is proved
        return seconds

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        assert self.client._server is not None
        await self.client._server.wait()


def _sip(number: int, proved: bool) -> str:
    level = find_level("int-square-root")
    assert level is not None
    stated = " & ".join([*(INVARIANTS if proved else INVARIANTS[:2]), f"cnt >= -{number}"])
    return level.source.replace("while (", f"while [{stated}] (")


class _Theirs:
    """DafnyServer, which takes a text in base64 and answers with lines that end with a mark."""

    def __init__(self) -> None:
        command = ["mono", str(DAFNY_SERVER)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def edit(self, number: int, proved: bool) -> float:
        bound = " && cnt * cnt <= n" if proved else ""
        source = DAFNY.format(bound=bound, number=number)
        task = json.dumps({"args": [], "filename": "root.dfy", "source": source, "sourceIsFile": False})
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        start = time.perf_counter()
        self.process.stdin.write(b"verify\n" + base64.b64encode(task.encode()) + b"\n[[DAFNY-CLIENT: EOM]]\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            lines.append(line.decode())
            if "[[DAFNY-SERVER: EOM]]" in lines[-1]:
                break
        seconds = time.perf_counter() - start
        answer = "".join(lines)
        assert "[SUCCESS]" in answer, answer
        assert ("might not hold" in answer) is not proved, answer
        return seconds

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
