"""The few pages that are shown inside of a platform: they have no cookies, no scripts but one, and two languages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from idg.coordinator.classes.told import Assignment
from idg.coordinator.lti.linking import ChosenAssignment
from idg.coordinator.lti.platforms import origin
from idg.coordinator.lti.refusals import Reason

STYLE = """\
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
body { color: #1d2433; background: #fff }
h1 { font-size: 1.3rem }
a.button, button { display: inline-block; font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .4rem }
a.button, button { background: #1f5fbf; color: #fff; text-decoration: none; cursor: pointer }
a.button:focus-visible, button:focus-visible { outline: 3px solid #e08a00; outline-offset: 2px }
fieldset { border: 1px solid #8892a6; border-radius: .4rem; margin: 0 0 1rem; padding: .5rem 1rem }
label { display: block; padding: .15rem 0 }
@media (prefers-color-scheme: dark) {
  body { color: #e8ecf4; background: #161b26 }
  a.button, button { background: #8db6f5; color: #10151f }
}
"""
SEND_SCRIPT = "document.getElementById('send').submit()\n"
"""Sends the form with a teacher's choice. Without scripts its button does."""
TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "open": "Open IDG in a new tab",
        "welcome": "{name}, your class “{title}” is ready.",
        "why": "The game opens in a tab of its own, because browsers keep no sign-in inside of another page. The link is good for "
        "five minutes and for one use; opening this activity again makes a new one.",
        "choose": "Which assignment of “{title}” is this activity?",
        "existing": "Assignments of the class",
        "new": "A new assignment with one level",
        "take": "Take it",
        "sending": "“{title}” is sent to the platform.",
        "send": "Go on",
        "refused": "You cannot come in this way",
        "unknown-platform": "This server does not know the platform, or not this installation of it. Whoever runs the server can "
        "register it.",
        "bad-request": "The platform has sent something that this server does not understand.",
        "forged": "The platform's signature is not right.",
        "expired": "It has taken too long. Open the activity again.",
        "replayed": "This was used already. Open the activity again.",
        "wrong-state": "This did not begin here. Open the activity in your platform.",
        "no-course": "Open the activity inside of a course.",
        "no-role": "In this course you are neither a teacher nor a student.",
        "not-open": "Your teacher has to open this activity first.",
        "unreachable": "The platform does not answer. Try again later.",
    },
    "de": {
        "open": "IDG in einem neuen Tab öffnen",
        "welcome": "{name}, dein Kurs „{title}“ ist bereit.",
        "why": "Das Spiel öffnet sich in einem eigenen Tab, weil Browser innerhalb einer fremden Seite keine Anmeldung behalten. "
        "Der Link gilt fünf Minuten und für ein Mal; ein neuer entsteht, wenn du die Aktivität noch einmal öffnest.",
        "choose": "Welche Aufgabe von „{title}“ ist diese Aktivität?",
        "existing": "Aufgaben des Kurses",
        "new": "Eine neue Aufgabe mit einem Level",
        "take": "Übernehmen",
        "sending": "„{title}“ wird an die Plattform geschickt.",
        "send": "Weiter",
        "refused": "So kommst du nicht hinein",
        "unknown-platform": "Dieser Server kennt die Plattform nicht oder nicht diese Einrichtung davon. Wer den Server betreibt, "
        "kann sie eintragen.",
        "bad-request": "Die Plattform hat etwas geschickt, das dieser Server nicht versteht.",
        "forged": "Die Unterschrift der Plattform stimmt nicht.",
        "expired": "Das hat zu lange gedauert. Öffne die Aktivität noch einmal.",
        "replayed": "Das wurde schon benutzt. Öffne die Aktivität noch einmal.",
        "wrong-state": "Das hat nicht hier begonnen. Öffne die Aktivität in deiner Plattform.",
        "no-course": "Öffne die Aktivität in einem Kurs.",
        "no-role": "In diesem Kurs bist du weder Lehrkraft noch Schülerin oder Schüler.",
        "not-open": "Zuerst muss deine Lehrkraft diese Aktivität öffnen.",
        "unreachable": "Die Plattform antwortet nicht. Versuche es später noch einmal.",
    },
}
"""Language → what the pages say."""


def language_of(locale: str, accepted: str) -> str:
    """The language of a page: what the platform says, else what the browser prefers."""
    wanted = (locale or accepted).strip().lower()
    return "de" if wanted.startswith("de") else "en"


def policy(frames: Sequence[str], form: str | None = None) -> str:
    """The content security policy of a page that may be shown inside of these sites. `form`: where its form goes, if not to us."""
    shown_in = " ".join(frames) or "'none'"
    target = "'self'" if form is None else origin(form) or "'none'"
    own = "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'"
    return f"{own}; form-action {target}; frame-ancestors {shown_in}"


def _page(language: str, title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{escape(title)} · IDG</title><link rel="stylesheet" href="/lti/page.css">'
        f"<main><h1>{escape(title)}</h1>{body}</main></html>"
    )


def welcome_page(language: str, name: str, title: str, url: str) -> str:
    texts = TEXTS[language]
    link = f'<a class="button" href="{escape(url)}" target="_blank" rel="noopener">{escape(texts["open"])}</a>'
    return _page(language, texts["welcome"].format(name=name, title=title), f"<p>{link}</p><p>{escape(texts['why'])}</p>")


def refused_page(language: str, reason: Reason) -> str:
    texts = TEXTS[language]
    return _page(language, texts["refused"], f"<p>{escape(texts[reason])}</p>")


def choice_page(language: str, title: str, token: str, assignments: Sequence[Assignment], levels: Sequence[tuple[str, str]]) -> str:
    """`levels`: the id and the title of each."""
    texts = TEXTS[language]
    existing = [(f"assignment:{assignment.number}", assignment.title) for assignment in assignments]
    groups = [(texts["existing"], existing), (texts["new"], [(f"level:{id}", shown) for id, shown in levels])]
    shown = "".join(_group(legend, options) for legend, options in groups if options)
    form = (
        f'<form method="post" action="/lti/choose"><input type="hidden" name="token" value="{escape(token)}">{shown}'
        f"<button>{escape(texts['take'])}</button></form>"
    )
    return _page(language, texts["choose"].format(title=title), form)


def _group(legend: str, options: Sequence[tuple[str, str]]) -> str:
    labels = "".join(
        f'<label><input type="radio" name="chosen" required value="{escape(value)}"> {escape(shown)}</label>'
        for value, shown in options
    )
    return f"<fieldset><legend>{escape(legend)}</legend>{labels}</fieldset>"


def sending_page(language: str, choice: ChosenAssignment) -> str:
    texts = TEXTS[language]
    form = (
        f'<form id="send" method="post" action="{escape(choice.return_url)}">'
        f'<input type="hidden" name="JWT" value="{escape(choice.signed)}"><button>{escape(texts["send"])}</button></form>'
        '<script src="/lti/send.js"></script>'
    )
    return _page(language, texts["sending"].format(title=choice.title), form)
