"""The arguments of `idg teachers` and `idg lti`. Nothing of the coordinator is imported here, which takes long."""

from __future__ import annotations

import argparse

from idg.cli.arguments.cluster_arguments import Command
from idg.cli.arguments.study_arguments import SettingArguments
from idg.cli.results import json_argument
from idg.needs import require

TEACHER_EXAMPLES = """\
  idg teachers add "Emmy Noether" --data ./idg-data    make a teacher, and print the code with which she comes
  idg teachers list --data ./idg-data                  who may make classes
  idg teachers code PLAYER --data ./idg-data           a new code, for one who has lost theirs
  idg teachers remove PLAYER --data ./idg-data         may make no more classes; those that are there stay

with the setting --classes teachers, only these people make classes; the server may run meanwhile"""
LTI_EXAMPLES = """\
  idg lti add moodle --moodle https://moodle.example.org --client 4kZ0bQmT
  idg lti add canvas --canvas https://school.instructure.com --client 10000000000007
  idg lti add other --issuer https://lms.example.org --client idg --login https://lms.example.org/auth \\
      --token https://lms.example.org/token --keys https://lms.example.org/jwks
  idg lti list                 the platforms whose launches are accepted
  idg lti remove moodle
  idg lti keys                 our public keys, for platforms that cannot fetch them from /lti/jwks
  idg lti keys --new           sign with a new key; the old one stays published until the next time
  idg lti scores               scores that no platform has been told yet, and why

docs/lti.md shows every step in Moodle and in Canvas; the server may run meanwhile"""


def class_commands(command: Command, setting_arguments: SettingArguments) -> None:
    teachers = command("teachers", "make and list the teachers who may make classes", TEACHER_EXAMPLES)
    actions = teachers.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(teachers))
    for name, summary, argument in (
        ("add", "make a teacher", ("NAME", "the teacher's name")),
        ("list", "who may make classes", None),
        ("code", "a new code for a teacher", ("PLAYER", "the id that 'idg teachers list' prints")),
        ("remove", "let somebody make no more classes", ("PLAYER", "the id that 'idg teachers list' prints")),
    ):
        parser = actions.add_parser(name, help=summary, description=summary)
        if argument is not None:
            parser.add_argument("who", metavar=argument[0], help=argument[1])
        json_argument(parser)
        setting_arguments(parser, ("data", "database"))
    _lti_commands(command, setting_arguments)


def _lti_commands(command: Command, setting_arguments: SettingArguments) -> None:
    lti = command("lti", "register learning platforms such as Moodle and Canvas (LTI 1.3)", LTI_EXAMPLES)
    actions = lti.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(lti))

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=summary, description=summary)
        json_argument(parser)
        setting_arguments(parser, ("data", "database"))
        return parser

    add = action("add", "register a platform, or change one")
    add.add_argument("name", metavar="NAME", help="what you call it: small letters, digits and '-'")
    add.add_argument("--client", metavar="ID", required=True, help="the client id that the platform gave the tool")
    kind = add.add_mutually_exclusive_group()
    kind.add_argument("--moodle", metavar="URL", help="the address of a Moodle: the addresses below are filled in")
    kind.add_argument("--canvas", metavar="URL", help="the address of a Canvas of Instructure: the same")
    add.add_argument("--issuer", metavar="TEXT", help="how the platform calls itself")
    add.add_argument("--login", metavar="URL", help="where browsers are sent for a launch (authentication request)")
    add.add_argument("--token", metavar="URL", help="where access tokens are given")
    add.add_argument("--keys", metavar="URL", help="the platform's public keys (JWKS)")
    add.add_argument("--audience", metavar="TEXT", default="", help="of requests for tokens (default: the address of --token)")
    add.add_argument(
        "--deployment", metavar="ID", action="append", default=[], help="accept only these deployments; may be given several times"
    )
    add.add_argument(
        "--service-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a further host of its services; may be given several times",
    )
    action("list", "the platforms whose launches are accepted")
    action("remove", "accept no more launches of a platform").add_argument("name", metavar="NAME", help="its name")
    keys = action("keys", "our public keys")
    keys.add_argument("--new", action="store_true", help="make a new key, with which everything is signed from now on")
    action("scores", "scores that no platform has been told yet")


def run_class_command(options: argparse.Namespace) -> int:
    require("server", f"idg {options.command}")
    if options.command == "teachers":
        from idg.cli.serving import teachers

        return teachers.run(options)
    require("lti", "idg lti")
    from idg.cli.serving import lti

    return lti.run(options)
