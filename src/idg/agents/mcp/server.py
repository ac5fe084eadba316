"""The MCP server: tools, resources and prompts, over standard input and output or over HTTP."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, InputRequiredResult, TextContent
from pydantic import ValidationError

from idg.agents.mcp import guide, told
from idg.agents.mcp.tools import NEXT_CALL, TOOLS, LevelName, Tools, hints_about
from idg.agents.sdk.errors import PlayError
from idg.agents.sdk.player import Playing
from idg.sip.errors import InputError, SipError

BODY_BYTES_MAX = 1_000_000
"""How long the body of a request over HTTP may be."""
SESSIONS_MAX = 100
"""Clients that may be connected over HTTP at the same time."""
HTTP_PATH = "/mcp"
"""The path at which the server answers over HTTP."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names by which a machine calls itself."""


class PlainServer(MCPServer[Any]):
    """An MCP server that refuses in plain words: which argument is wrong, and which tool helps."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tool = self._tool_manager.get_tool(name)
        if tool is not None:
            known = tool.parameters.get("properties", {})
            unknown = [given for given in arguments if given not in known]
            if unknown:
                return refused(f"{name} has no argument '{unknown[0]}'; it takes {', '.join(known)}")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                return refused("; ".join(f"{_place(problem['loc'])}: {_problem(problem)}" for problem in cause.errors()))
            return refused(str(cause or error))


def _place(place: Sequence[int | str]) -> str:
    """Where in the arguments something is wrong, such as `expressions[2]`. What follows names branches of the schema."""
    first, *rest = place
    numbers = "".join(f"[{part}]" for part in rest if isinstance(part, int))
    return f"{first}{numbers}"


def _problem(problem: Any) -> str:
    message = str(problem["msg"]).removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def refused(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def build(player: Playing) -> MCPServer[Any]:
    """The server with all its tools, resources and prompts."""
    from idg import __version__

    tools = Tools(player)
    listed = [_tool(tools, name) for name in TOOLS]
    server = PlainServer(
        "idg",
        title="The Invariant Discovery Game",
        instructions=guide.INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=listed,
    )
    _add_resources(server, tools)
    _add_prompts(server)
    return server


def _tool(tools: Tools, name: str) -> Tool:
    tool = Tool.from_function(
        _guarded(getattr(tools, name), tools), name=name, annotations=hints_about(name), structured_output=True
    )
    tool.description = " ".join(tool.description.split())
    tool.parameters = _untitled(tool.parameters)
    tool.fn_metadata.output_schema = _untitled(tool.fn_metadata.output_schema)
    return tool


def _untitled(schema: Any) -> Any:
    """A schema without titles, which repeat names in other letters. What is None is left out of answers, so no schema has null."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _untitled(part) for key, part in schema.items() if key != "title" or not isinstance(part, str)}
    some = [part for part in kept.get("anyOf", ()) if part != {"type": "null"}]
    if len(some) < len(kept.get("anyOf", ())):
        rest = {key: part for key, part in kept.items() if key != "anyOf" and (key, part) != ("default", None)}
        kept = rest | (some[0] if len(some) == 1 else {"anyOf": some})
    return kept


def _guarded(call: Callable[..., told.ToolAnswer], tools: Tools) -> Callable[..., CallToolResult]:
    """The same call under the lock. Where it is refused, the model is told why, and which tool helps."""
    signature = inspect.signature(call, eval_str=True)

    @wraps(call)
    def guarded(*args: object, **kwargs: object) -> CallToolResult:
        with tools.lock:
            try:
                return call(*args, **kwargs).result()
            except PlayError as error:
                raise ToolError(refusal(error)) from None
            except SipError as error:
                first = error.problems[0]
                raise ToolError(f"{first.message}{first.hint and f' ({first.hint})'}") from None
            except (InputError, LookupError) as error:
                raise ToolError(f"{str(error).strip(chr(39))} ({NEXT_CALL['bad-inputs']})") from None

    answer = Annotated[CallToolResult, signature.return_annotation]
    guarded.__signature__ = signature.replace(return_annotation=answer)  # type: ignore[attr-defined]
    return guarded


def refusal(error: PlayError) -> str:
    """A refusal as a model reads it: what was wrong, where, and which tool helps. Hints of the SDK are about calls in Python."""
    helps = NEXT_CALL.get(error.code, "" if error.code == "bad-request" else error.hint)
    plain = PlayError(error.code, error.message, helps, error.where)
    return str(plain)


def _add_resources(server: MCPServer[Any], tools: Tools) -> None:
    @server.resource("idg://language", title="The language", mime_type="text/markdown")
    def language() -> str:
        """How programs and expressions are written."""
        return guide.language()

    @server.resource("idg://levels", title="The levels", mime_type="text/markdown")
    def levels() -> str:
        """All levels with their stories."""
        with tools.lock:
            return guide.level_page(tools.player.levels())

    @server.resource("idg://room", title="The current room", mime_type="application/json")
    def room() -> str:
        """The level, program or room that was played last, and where it stands."""
        with tools.lock:
            if not tools.last:
                return "{}"
            return told.told_program(tools.game(tools.last), tools.last).model_dump_json(exclude_none=True)

    @server.resource("idg://levels/{level}", title="A level", mime_type="application/json")
    def level_program(level: str) -> str:
        """A level's program, and where its game stands."""
        with tools.lock:
            return told.told_program(tools.game(level), level).model_dump_json(exclude_none=True)


def _add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt("play_level", title="Play this level")
    def play_level(level: LevelName) -> str:
        """Solve a level and say what its invariants mean."""
        return guide.PLAY_A_LEVEL.format(level=level)

    @server.prompt("explain_proof", title="Explain this proof")
    def explain_proof(level: LevelName) -> str:
        """Explain what was proved of a level, in words."""
        return guide.EXPLAIN_A_PROOF.format(level=level)

    @server.prompt("write_level", title="Write a level")
    def write_level(topic: str) -> str:
        """Write a program of one's own that can be played."""
        return guide.WRITE_A_LEVEL.format(topic=topic)


def serve(player: Playing) -> None:
    """Serves until standard input ends."""
    build(player).run("stdio")


def serve_http(player: Playing, host: str, port: int, hosts: Sequence[str], tell: Callable[[str], None]) -> None:
    """Serves over HTTP until it is interrupted. All clients play as the same player, with the same games.

    `hosts` are further names under which it answers. `tell` is called with the address. OSError where the port cannot be had.
    """
    import uvicorn

    bound = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    own_port = int(bound.getsockname()[1])
    names = [*dict.fromkeys([*LOOPBACK, *hosts])]
    allowed = [*(f"{name}:{own_port}" for name in names), *hosts]
    app = build(player).streamable_http_app(
        streamable_http_path=HTTP_PATH,
        max_request_body_size=BODY_BYTES_MAX,
        max_sessions=SESSIONS_MAX,
        transport_security=TransportSecuritySettings(
            allowed_hosts=allowed, allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in allowed]
        ),
        host=host,
    )
    shown = f"[{host}]" if ":" in host else host
    tell(f"http://{shown}:{own_port}{HTTP_PATH}")
    uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on")).run(sockets=[bound])
