"""uvicorn's protocols for HTTP and WebSockets, with the bounds that they lack.

uvicorn bounds neither the size of a request's head nor the time in which a request must arrive; nor does any setting of its other
protocols bound both. See ARCHITECTURE.md for why we add the bounds instead of choosing another server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import httptools
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.http11 import Request

from idg.coordinator.bounds.rate_limits import LOOP_SECONDS_A_PERMIT
from idg.coordinator.connections.places import ConnectionPlace, Outgoing
from idg.coordinator.connections.refusals import raw_answer
from idg.coordinator.connections.small import Gate, Mailbox, Resting
from idg.coordinator.errors import ApiError
from idg.coordinator.web.requests.addresses import address_of

HEAD_BYTES_MAX = 32 * 1024
"""How many bytes the first line and the headers of a request may have, and how many may come in a row that are no body."""
HEADERS_MAX = 100
"""How many headers a request may have."""
SOCKET_LINE_BYTES_MAX = 8_000
"""How long the first line and each header may be of a request for a WebSocket; the package websockets reads no more."""
PIPELINED_MAX = 8
"""How many requests a client may send ahead while an earlier one is being answered."""
LINGER_SECONDS = 2.0
"""How long a connection stays open after a refusal, so that the client can read it while it is still sending."""
SOCKET_BYTES_BURST = 16 * 1024
"""How many bytes a client may send at once on a WebSocket. It has no reason to send more than signals and answers to pings."""
SOCKET_BYTES_A_SECOND = 4096
"""How many bytes a second a client may send on a WebSocket on average."""
WAKE = "idg.wake"
"""The extension of a WebSocket's scope that has the functions `wake`, which makes `receive` return, as a message would, and `hear`,
which has a function called with each text that the client sends."""
HEAD, BODY, ANSWER, GOODBYE = "head", "body", "answer", "goodbye"
"""What a connection waits for: the head or the body of a request, our answer to it, or the client's end after a refusal."""
_NOTHING: Any = None
"""What uvicorn's fields have before the first request, and get again when nobody needs what is in them, although their types do not
say so."""


class _RefusedRequest(Exception):
    """Raised while a request is being read: it goes beyond a bound."""

    def __init__(self, reason: str, error: ApiError) -> None:
        super().__init__(error.message)
        self.reason = reason
        self.error = error


def _head_too_large() -> _RefusedRequest:
    text = f"the first line and the headers may have {HEAD_BYTES_MAX:,} bytes and {HEADERS_MAX} headers at most"
    return _RefusedRequest("head-size", ApiError("head-too-large", text))


class BoundedHttp(Resting, HttpToolsProtocol):
    """A connection on which requests arrive."""

    def __init__(self, *, place: ConnectionPlace, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._place = place
        self._waits_for = HEAD
        self._since = time.monotonic()
        self._answering: RequestResponseCycle | None = None
        """The request that the application answers now; others may wait behind it."""
        self._is_last = False
        """Whether what comes after this request is not read any more."""
        self._is_reading = False
        """Whether a request has begun, and not all of it has come."""
        self._head_bytes = 0
        """Bytes of the head of the request that is being read, as far as it was understood."""
        self._other_bytes = 0
        """Bytes that came in a row and were no body: of a head, of what ends a chunked body, of white space."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        self.flow._is_writable_event = cast(asyncio.Event, Gate())
        self._outgoing = Outgoing(self.transport, self._place)
        self._place.occupant = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.end_rest()
        self._stop_answering()
        self._place.release()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._outgoing.moved()

    # Reading a request.

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        self._place.is_idle(False)
        if self._waits_for == GOODBYE or self._is_last:
            return
        self._other_bytes += len(data)
        self._place.places.not_read += self.rest(self._place.owes())
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:
                # The request is answered as it is. The parser reads nothing after it.
                self._is_last = True
                self._end_after_answer()
            return
        except httptools.HttpParserError as error:
            refused = error.__context__
            if not isinstance(refused, _RefusedRequest):
                refused = _RefusedRequest("not-http", ApiError("bad-http", "this is no request of HTTP/1.1"))
            self._refuse(refused)
            return
        if self._other_bytes > HEAD_BYTES_MAX:
            self._refuse(_head_too_large())

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= PIPELINED_MAX:
            text = f"at most {PIPELINED_MAX} requests may be sent ahead"
            raise _RefusedRequest("pipelined", ApiError("bad-http", text))
        super().on_message_begin()
        self._is_reading = True
        self._head_bytes = 0
        self._wait_for(HEAD)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)
        if len(self.headers) > HEADERS_MAX:
            raise _head_too_large()

    def _count(self, count: int) -> None:
        self._head_bytes += count
        if self._head_bytes > HEAD_BYTES_MAX:
            raise _head_too_large()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._wait_for(BODY)
        # A client that expects 100 and gets its answer at once need not send the body, and then nobody knows where the next
        # request begins.
        if self.cycle is not None and (self.expect_100_continue or not self.cycle.keep_alive):
            self._end_after_answer()

    def on_body(self, body: bytes) -> None:
        self._other_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._other_bytes = 0
        self._is_reading = False
        super().on_message_complete()
        answered = self.cycle is not None and self.cycle.response_complete
        self._wait_for(HEAD if answered else ANSWER)

    def on_response_complete(self) -> None:
        self._outgoing.wrote()
        super().on_response_complete()
        if self._waits_for == ANSWER and self.cycle.response_complete:
            self._wait_for(HEAD)
        if self._waits_for == HEAD and not self._is_reading and not self.pipeline:
            self._be_idle()

    def _be_idle(self) -> None:
        """All is answered, and nothing more has come. Nothing of the last request is kept, because connections are idle most of the
        time."""
        self._answering = None
        self.cycle = self.scope = _NOTHING
        self.headers = []
        self.url = b""
        self._place.is_idle(True)

    def is_idle_since(self) -> float:
        """Since when it has waited for the next request."""
        return self._since

    def give_way(self) -> None:
        """Close the idle connection, because somebody else needs its place."""
        self._place.places.refused["made-way"] += 1
        self.transport.close()
        self._place.release()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def handle_websocket_upgrade(self) -> None:
        longest = max(len(self.url), *(len(name) + len(value) for name, value in self.headers))
        if longest > SOCKET_LINE_BYTES_MAX:
            self._refuse(_head_too_large())
        elif self.cycle is not None and not self.cycle.response_complete:
            text = "a WebSocket cannot begin before earlier requests are answered"
            self._refuse(_RefusedRequest("pipelined", ApiError("bad-http", text)))
        else:
            self.ws_protocol_class = cast("type[asyncio.Protocol]", partial(BoundedSocket, place=self._place))
            super().handle_websocket_upgrade()
            self.parser = _NOTHING  # It refers to us, who have nothing more to read.

    # Ending.

    def _end_after_answer(self) -> None:
        """The answer to this request is the last one on this connection."""
        self.cycle.keep_alive = False
        self.cycle.transport = cast(asyncio.Transport, _LastAnswer(self))

    def close_after_answer(self) -> None:
        """Close, now that the last answer is written. A client that is still sending reads it first: to close before all has
        arrived would reset the connection, and the system would throw the answer away."""
        if self._is_last or self._waits_for == BODY:
            self._say_goodbye()
        else:
            self.transport.close()

    def _say_goodbye(self) -> None:
        """Nothing more is sent. What still arrives is passed over, until the client ends, or for a moment."""
        self._wait_for(GOODBYE)
        self.flow.resume_reading()
        self.transport.write_eof()

    def _wait_for(self, what: str) -> None:
        self._waits_for = what
        self._since = time.monotonic()

    def check(self, now: float) -> None:
        settings = self._place.places.settings
        waited = now - self._since
        if self._outgoing.is_stalled(now, settings.stall_seconds):
            self._abort("stalled")
        elif self.flow.read_paused or self._resting is not None:
            self._since = now  # We do not read now, so the client cannot send.
        elif self._waits_for == GOODBYE and waited > LINGER_SECONDS:
            self.transport.abort()
        elif self._waits_for == HEAD and waited > settings.head_seconds:
            if self._other_bytes:
                self._refuse(_too_slow("head", settings.head_seconds))
            elif not self._place.idle:
                self._abort("idle")
            # Otherwise it has had an answer, and uvicorn closes it after a longer while.
        elif self._waits_for == BODY and waited > settings.body_seconds:
            self._refuse(_too_slow("body", settings.body_seconds))

    def _abort(self, reason: str) -> None:
        self._place.places.refused[reason] += 1
        self.drop()

    def is_held(self) -> bool:
        return self.flow.read_paused

    def waiting_bytes(self) -> int:
        return self.transport.get_write_buffer_size()

    def drop(self) -> None:
        self._stop_answering()
        self.transport.abort()

    def _refuse(self, refused: _RefusedRequest) -> None:
        """Tell the client why, where that cannot be taken for the answer to another request, and close."""
        self._place.places.refused[refused.reason] += 1
        may_answer = self._may_answer()
        self._stop_answering()
        if self.transport.is_closing():
            return
        if not may_answer:
            self.transport.abort()
            return
        self.transport.write(raw_answer(refused.error))
        self._say_goodbye()

    def _stop_answering(self) -> None:
        """Tell the application that the client is gone. uvicorn tells it of the newest request only."""
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()

    def _may_answer(self) -> bool:
        if self._waits_for == HEAD:
            return self.cycle is None or self.cycle.response_complete
        return self._waits_for == BODY and not self.cycle.response_started and not self.pipeline


class _LastAnswer:
    """Stands for the connection where uvicorn writes the last answer, because uvicorn then closes it at once."""

    __slots__ = ("_protocol",)

    def __init__(self, protocol: BoundedHttp) -> None:
        self._protocol = protocol

    def write(self, data: bytes) -> None:
        self._protocol.transport.write(data)

    def is_closing(self) -> bool:
        return self._protocol.transport.is_closing()

    def close(self) -> None:
        self._protocol.close_after_answer()


def _too_slow(part: str, seconds: float) -> _RefusedRequest:
    text = f"the {part} of the request must arrive within {seconds:g} s"
    return _RefusedRequest(f"{part}-time", ApiError("too-slow", text))


_NO_HEADERS = Headers()


class BoundedSocket(Resting, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket. What the client says on it is not passed on to `receive`.

    So `receive` is free for another use: the application waits there for the client's end, and for whoever has something to be sent
    (`wake`). One task for each socket does both. Texts of the client go to the function that the application has set (`hear`), at
    once, so none of them waits in memory.
    """

    def __init__(self, *, place: ConnectionPlace, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self.queue = cast("asyncio.Queue[Any]", Mailbox())
        self.writable = cast(asyncio.Event, Gate())
        self._place = place
        self._left = float(SOCKET_BYTES_BURST)
        """How many bytes the client may send now."""
        self._left_at = time.monotonic()
        self._heard: Callable[[bytes], None] = lambda text: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._outgoing = Outgoing(self.transport, self._place)
        self._place.occupant = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.end_rest()
        self._heard = lambda text: None  # It refers to the room.
        # These refer to this object, or to themselves. Without the cycles their memory is free at once, not after a collection.
        getattr(self, "scope", {}).get("extensions", {}).pop(WAKE, None)  # Without a right request there is no scope.
        self.conn.parser.close()
        self._place.release()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._outgoing.moved()

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated:
            now, started = time.monotonic(), time.thread_time()
            self._left = min(SOCKET_BYTES_BURST, self._left + (now - self._left_at) * SOCKET_BYTES_A_SECOND) - len(data)
            self._left_at = now
            if self._left < 0:
                self._place.places.refused["socket-bytes"] += 1
                self._end()
                return
            # Each message costs the more the shorter it is for its bytes, so the time is counted, too.
            super().data_received(data)
            address = address_of(cast(Scope, self.scope))
            self._place.places.rates.spend(address, (time.thread_time() - started) / LOOP_SECONDS_A_PERMIT)
            self._place.places.not_read += self.rest(self._place.owes(address))
            return
        super().data_received(data)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][WAKE] = {"wake": self.wake, "hear": self.hear}

    async def send(self, message: Any) -> None:
        await super().send(message)
        self._outgoing.wrote()
        if self.handshake_complete and self.response is not None:
            # From now on nobody needs what was said to begin it. The parser keeps the request, so it is emptied.
            self.request.headers = _NO_HEADERS
            self.response = self.request = _NOTHING

    def wake(self) -> None:
        if self.queue.empty():  # Otherwise the application will come back here anyway.
            self.queue.put_nowait({"type": "websocket.receive", "text": ""})

    def hear(self, heard: Callable[[bytes], None]) -> None:
        """Have this called with each text that the client sends from now on."""
        self._heard = heard

    def send_receive_event_to_app(self) -> None:
        frames, self.frames = self.frames, []
        if self.curr_msg_data_type == "text" and not self.close_sent:
            self._heard(b"".join(frames))

    def _end(self) -> None:
        """Close because the client sends too much. It is not read any more, so its reply is not waited for."""
        if not self.close_sent and not self.transport.is_closing():
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1008})
            if self.handshake_complete:
                self.conn.fail(1008, "a client has no reason to send so much")
                self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.close()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
            return
        # The request for the WebSocket itself is wrong.
        self._place.places.refused["not-http"] += 1
        self.transport.write(raw_answer(ApiError("bad-http", "this is no request for a WebSocket")))
        self.transport.close()

    def check(self, now: float) -> None:
        if self._outgoing.is_stalled(now, self._place.places.settings.stall_seconds):
            self._place.places.refused["stalled"] += 1
            self.drop()

    def waiting_bytes(self) -> int:
        return self.transport.get_write_buffer_size()

    def drop(self) -> None:
        self.disconnected = True
        self.transport.abort()
