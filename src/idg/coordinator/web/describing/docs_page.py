"""The description of the API as a page to read: `/api/docs`. It is plain HTML with one style sheet of our own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape

from idg.engine.wire.codec import Json

STYLE = """\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow: auto; max-height: 24rem; padding: 0.75rem; border: 1px solid #8886; border-radius: 0.5rem; }
section { border-top: 1px solid #8886; margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8883; }
nav ul { columns: 20rem; }
summary { cursor: pointer; }
"""
WHO = {"token": "a player (token or cookie)", "admin": "whoever runs the server (admin token)"}
"""Security scheme → who may call."""
BASE = "http://127.0.0.1:7400"
"""The address in the examples of commands."""


def docs_page(description: Json) -> str:
    """The page."""
    info, schemas = description["info"], description["components"]["schemas"]
    body = "".join(
        (
            f"<h1>{escape(info['title'])}</h1><p>{_text(info['description'])} Version {escape(info['version'])}. ",
            '<a href="/api/openapi.json">The same for programs</a> (OpenAPI), from which clients can be generated.</p>',
            "".join(_contents(description)),
            "".join(
                _operation(method, path, told) for path, methods in description["paths"].items() for method, told in methods.items()
            ),
            '<section><h2 id="refusals">Refusals</h2><p>All have the same shape, an <a href="#ErrorView">ErrorView</a>.</p>',
            "".join(_refusals(description["components"]["responses"])),
            "</section><section><h2>Schemas</h2>",
            "".join(_schema(name, schema) for name, schema in sorted(schemas.items())),
            "</section>",
        )
    )
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/api/docs.css">'
    return f'<!doctype html><html lang="en"><head>{head}<title>API · IDG</title></head><body>{body}</body></html>'


def _text(text: str) -> str:
    """A text in which `words` between backquotes are code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _contents(description: Json) -> Iterator[str]:
    by_tag: dict[str, list[str]] = {}
    for path, methods in description["paths"].items():
        for method, told in methods.items():
            link = f'<a href="#{told["operationId"]}">{escape(told["summary"])}</a>'
            listed = f"<li>{link} <code>{method.upper()} {escape(path)}</code></li>"
            by_tag.setdefault((told.get("tags") or ["other"])[0], []).append(listed)
    for tag, links in by_tag.items():
        yield f"<nav><h2>{escape(tag.capitalize())}</h2><ul>{''.join(links)}</ul></nav>"


def _operation(method: str, path: str, told: Json) -> str:
    who = [WHO[name] for choice in told["security"] for name in choice if name in WHO]
    needed = f"Needs {who[0]}." if who else "Needs nobody in particular."
    if {} in told["security"] and who:
        needed = f"For {who[0]}; others become one."
    statuses = ", ".join(f'<a href="#{status}">{status}</a>' for status in told["responses"] if status != "200")
    return "".join(
        (
            f'<section id="{told["operationId"]}"><h3>{escape(told["summary"])}</h3>',
            f"<p><code>{method.upper()} {escape(path)}</code> · <code>{told['operationId']}</code></p>",
            f"<p>{_text(told.get('description', ''))} {needed}</p>",
            _parameters(told.get("parameters", [])),
            _body("Sent", told.get("requestBody", {})),
            f"<p>As a command:</p><pre>{escape(_command(method, path, told))}</pre>",
            _body("Answered", told["responses"]["200"]),
            f"<p>Refused with {statuses}.</p></section>",
        )
    )


def _parameters(parameters: list[Json]) -> str:
    if not parameters:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(told['name'])}</code></td><td>{told['in']}{', required' if told.get('required') else ''}</td>"
        f"<td>{_text(told.get('description', ''))} for example <code>{escape(str(_example(told)))}</code></td></tr>"
        for told in parameters
    )
    return f"<table><tr><th>Parameter</th><th>Where</th><th>What</th></tr>{rows}</table>"


def _example(parameter: Json) -> object:
    return next(iter(parameter["schema"].get("examples", ())), "")


def _body(title: str, body: Json) -> str:
    shown = []
    for kind, content in body.get("content", {}).items():
        name = content["schema"].get("$ref", "").rsplit("/", 1)[-1]
        schema = f' <a href="#{name}">{name}</a>' if name else ""
        shown.append(f"<p>{title} ({kind}):{schema}</p>")
        if "example" in content:
            shown.append(f"<pre>{escape(json.dumps(content['example'], indent=1, ensure_ascii=False))}</pre>")
    return "".join(shown)


def _command(method: str, path: str, told: Json) -> str:
    for parameter in told.get("parameters", ()):
        path = path.replace(f"{{{parameter['name']}}}", str(_example(parameter)))
    words = ["curl", f"'{BASE}{path}'"] if method == "get" else ["curl", "-X", method.upper(), f"'{BASE}{path}'"]
    if {"token": []} in told["security"] or {"admin": []} in told["security"]:
        words.append("-H 'Authorization: Bearer TOKEN'")
    content = told.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None:
        quoted = json.dumps(content["example"], ensure_ascii=False).replace("'", "'\\''")
        words.append(f"-H 'Content-Type: application/json' -d '{quoted}'")
    return " ".join(words)


def _refusals(responses: Json) -> Iterator[str]:
    for name, response in sorted(responses.items()):
        status = name.removeprefix("Status")
        yield f'<h3 id="{status}">{status}</h3><p>{_text(response["description"])}</p>'


def _schema(name: str, schema: Json) -> str:
    required = schema.get("required", ())
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code></td><td>{_type(told)}{'' if field in required else ', optional'}</td>"
        f"<td>{_text(told.get('description', ''))}</td></tr>"
        for field, told in schema.get("properties", {}).items()
    )
    variants = f"<p>One of {', '.join(map(_type, schema['oneOf']))}.</p>" if "oneOf" in schema else ""
    table = f"<table><tr><th>Field</th><th>Type</th><th>What</th></tr>{rows}</table>" if rows else ""
    return f'<h3 id="{name}">{name}</h3><p>{_text(schema.get("description", ""))}</p>{variants}{table}'


def _type(schema: Json) -> str:
    """The type of a field, with links to the schemas that it names."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))
