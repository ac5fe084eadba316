"""Classes on a running server: joining, assignments, the teacher's table, hand-ins with certificates, deleting."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from idg.cli.main import main
from idg.coordinator.classes.handing_in import points_for
from idg.coordinator.classes.roster import read_roster
from idg.coordinator.classes.told import PointsRule
from idg.coordinator.errors import ApiError
from tests.support.servers.classrooms import FACTS, lesson, proves
from tests.support.servers.clients import COUNTING, UNLIMITED, client

pytest_plugins = ["tests.support.servers.servers"]


def test_a_student_joins_and_comes_back_on_another_device(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course, client(server.url) as phone:
            await phone.become("At home")
            home = (await phone.get("/api/players/me")).ok()["player"]
            assert (await phone.post("/api/classes/entrance", {"code": course.made["code"].lower()})).ok() == {
                "kind": "class",
                "title": "Loops 1b",
                "joining": "nickname",
            }
            shared = (await phone.open("multiply", shared=True))["room"]["code"]
            assert (await phone.post("/api/classes/entrance", {"code": shared})).ok()["kind"] == "room"
            laptop, joined = await course.student("Ada")
            assert joined["number"] == 1
            assert joined["code"] != course.made["code"]
            again = (await laptop.post("/api/classes/join", {"code": course.made["code"], "name": " ada "})).ok()
            assert (again["number"], again["code"], again["token"]) == (1, None, None), "who comes back is the same"
            assert (await phone.post("/api/classes/entrance", {"code": joined["code"]})).ok()["kind"] == "personal"
            taken = await phone.post("/api/classes/join", {"code": course.made["code"], "name": "ADA"})
            taken.refused("name-taken", "name")
            room = await proves(laptop)
            for _ in range(2):
                (await phone.post("/api/classes/continue", {"code": joined["code"].lower()})).ok()
            assert (await phone.get("/api/players/me")).ok()["player"] == joined["player"]
            assert (await phone.get(f"/api/rooms/{room}")).ok()["solved"], "everything is there on the other device"
            [listed] = (await phone.get("/api/classes")).ok()["classes"]
            assert (listed["role"], listed["name"]) == ("student", "Ada")
            (await phone.post("/api/classes/leave")).ok()
            assert (await phone.get("/api/players/me")).ok()["player"] == home, "the device is who it was before"
            (await phone.post("/api/classes/leave")).refused("not-joined")
            (await phone.post("/api/classes/continue", {"code": "AAAAAAAA"})).refused("wrong-code")
            (await phone.post("/api/classes/join", {"code": "AAAAAAAA", "name": "Bob"})).refused("wrong-code")

    asyncio.run(play())


def test_lists_of_names_are_read_as_spreadsheets_write_them() -> None:
    names = ["Ada Lovelace", "Emmy Noether"]
    for text in (
        "Ada Lovelace\nEmmy Noether\n",
        "\ufeffName;Klasse\r\nAda Lovelace;1b\r\nEmmy Noether;1b\r\n\r\n",
        "class,First name,Last name\n1b,Ada,Lovelace\n1b,Emmy,Noether\nx,Emmy , Noether\n",
        'Vorname\tNachname\n"Ada"\tLovelace\nEmmy\tNoether',
    ):
        assert [name for name, _ in read_roster(text)] == names, text
    for text, problem in (("", "no names"), ("name\n", "1 to"), ("Ada\n" + "x" * 41, "line 2"), ("A\u202eda", "line 1")):
        with pytest.raises(ApiError, match=problem):
            read_roster(text)
    with pytest.raises(ApiError, match="1 to 300"):
        read_roster("\n".join(f"Name {number}" for number in range(301)))
    with pytest.raises(ApiError, match="at most 1,000 lines"):
        read_roster("a\n" * 20_000)


def test_a_roster_lets_its_names_in_and_nobody_else(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url, joining="roster") as course, client(server.url) as stranger:
            added = (await course.teacher.post(f"{course.path}/roster", {"csv": "name\nAda\nEmmy\n=cmd()\n"})).ok()
            assert added == {"added": 3, "known": 0}
            again = (await course.teacher.post(f"{course.path}/roster", {"csv": "emmy\nGrace"})).ok()
            assert again == {"added": 1, "known": 1}
            refused = await stranger.post("/api/classes/join", {"code": course.made["code"], "name": "Mallory"})
            refused.refused("not-on-roster", "name")
            _, joined = await course.student("emmy")
            assert (joined["number"], joined["name"]) == (2, "Emmy"), "as the teacher wrote it"
            code = f"{course.path}/students"
            (await course.teacher.post(f"{code}/1/code")).refused("not-joined")
            new = (await course.teacher.post(f"{code}/2/code")).ok()
            assert new["name"] == "Emmy"
            (await stranger.post("/api/classes/continue", {"code": joined["code"]})).refused("wrong-code")
            (await stranger.post("/api/classes/continue", {"code": new["code"]})).ok()
            renamed = (await course.teacher.ask("PATCH", f"{code}/2", {"name": "Emmy N."})).ok()
            assert renamed["name"] == "Emmy N."
            (await course.teacher.ask("PATCH", f"{code}/2", {"name": "ada"})).refused("name-taken")
            sheet = (await course.teacher.get(f"{course.path}/gradebook.csv")).text
            assert [row[1] for row in csv.reader(io.StringIO(sheet))] == ["name", "Ada", "Emmy N.", "'=cmd()", "Grace"]

    asyncio.run(play())


def test_the_teachers_table_says_who_did_what_and_what_the_class_found(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course:
            await course.assign("multiply", "cube")
            ada, _ = await course.student("Ada")
            bob, _ = await course.student("Bob")
            await course.student("Cleo")
            await proves(ada)
            room = await bob.room("multiply")
            for text in ("cnt < m", "cnt <= m", "cnt < m", "res = 7"):
                await bob.judged(room, text)
            table = await course.table()
            assert [(column["item"]["level"], column["proved"]) for column in table["columns"]] == [("multiply", 1), ("cube", 0)]
            assert table["columns"][0]["false_facts"] == [
                {"loop": 1, "expression": "cnt < m", "students": 1},
                {"loop": 1, "expression": "res = 7", "students": 1},
            ]
            first, second, third = (row["cells"][0] for row in table["rows"])
            assert [row["name"] for row in table["rows"]] == ["Ada", "Bob", "Cleo"]
            assert (first["state"], first["kinds"], first["ghost"]) == ("proved", {"inductive": 2}, None)
            assert (second["state"], second["proposals"]) == ("working", 4)
            assert second["kinds"] == {"non-invariant": 3, "inductive": 1}
            assert set(second["ghost"]["values"]) == {"n", "m", "cnt", "res"}
            assert [fact["expression"] for fact in second["false_facts"]] == ["cnt < m", "res = 7"]
            assert (third["state"], third["room"]) == ("new", None)
            assert [row["active"] for row in table["rows"]] == [True, True, False]
            again = await course.table("?assignment=1&names=false")
            assert [row["name"] for row in again["rows"]] == ["", "", ""]
            assert again["rows"][1]["cells"][0]["proposals"] == 4, "nothing is counted twice"
            assert (await course.table("?assignment=2"))["columns"] == []
            pooled = (await course.teacher.get(f"{course.path}/assignments/1/items/1/pooled")).ok()
            assert (pooled["solved"], pooled["students"], pooled["proposals"]) == (True, 2, 6)
            assert {fact["expression"] for fact in pooled["inductive"]} >= set(FACTS)
            (await course.teacher.get(f"{course.path}/assignments/1/items/3/pooled")).refused("not-found")

    asyncio.run(play())


def test_a_teacher_replays_a_students_board(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course:
            await course.assign("multiply")
            ada, joined = await course.student("Ada")
            room = await proves(ada)
            own = await ada.events(room)
            [listed] = (await course.teacher.get(f"{course.path}/students/1/rooms")).ok()["rooms"]
            assert (listed["room"], listed["level"], listed["solved"]) == (room, "multiply", True)
            path = f"{course.path}/students/1/rooms/{room}"
            shown = (await course.teacher.get(path)).ok()
            assert (shown["room"]["solved"], shown["player"]["player"]) == (True, joined["player"])
            assert (await course.teacher.get(f"{path}/events?limit=500")).ok()["events"] == own
            assert (await course.teacher.get(f"{path}/events?after=2&limit=1")).ok()["events"] == own[2:3]
            # A room of the teacher's own is none of the student's, and looking at a board puts nobody into it.
            elsewhere = await course.teacher.room("multiply")
            (await course.teacher.get(f"{course.path}/students/1/rooms/{elsewhere}")).refused("not-found")
            (await course.teacher.get(f"/api/rooms/{room}")).refused("not-found")

    asyncio.run(play())


def test_hand_ins_have_certificates_that_a_replay_confirms(start_server: Any, tmp_path: Path, capsys: Any) -> None:
    server = start_server(*UNLIMITED, "--log-level", "warning")

    async def play() -> tuple[str, str]:
        async with lesson(server.url) as course:
            await course.assign("multiply", "cube", points={"gem": 10, "medal": 1, "effort": 5})
            ada, _ = await course.student("Ada")
            bob, _ = await course.student("Bob")
            room = await proves(ada)
            assert (await ada.judged(room, "decreases m - cnt"))["kind"] == "falls"
            (await ada.post(f"/api/rooms/{room}/reset")).ok()
            handed_in = await course.hand_in(ada)
            assert handed_in["items"] == [
                {"item": 1, "handed_in": True, "points": 18, "late": False, "reason": None},
                {"item": 2, "handed_in": False, "points": 0, "late": False, "reason": "nothing"},
            ], "a reset takes nothing away from the proof"
            await bob.judged(await bob.room("multiply"), "cnt >= 0")
            assert (await course.hand_in(bob))["items"][0]["points"] == 1, "a fifth of the points for effort"
            view = (await ada.get(f"{course.path}/me")).ok()
            [own] = view["assignments"]
            assert [(item["state"], item["points"]) for item in own["items"]] == [("proved", 18), ("new", None)]
            mine = (await ada.get(f"{course.path}/assignments/1/items/1/certificate")).ok()
            of_teacher = await course.teacher.get(f"{course.path}/students/1/assignments/1/items/1/certificate")
            assert of_teacher.ok() == mine
            assert [fact["expression"] for fact in mine["proof"]["facts"]] == list(FACTS)
            assert (mine["ending"]["ends"], mine["ending"]["credited"]) == ("ends", True)
            assert [measure["text"] for measure in mine["ending"]["measures"]] == ["m - cnt"]
            (await ada.get(f"{course.path}/assignments/1/items/2/certificate")).refused("not-found")
            cells = [row["cells"] for row in (await course.teacher.get(f"{course.path}/table")).ok()["rows"]]
            assert [cell[0].get("ends", False) for cell in cells] == [True, False]
            book = (await course.teacher.get(f"{course.path}/gradebook")).ok()
            assert [(student["name"], student["points"]) for student in book["students"]] == [("Ada", 18), ("Bob", 1)]
            theirs = (await course.teacher.get(f"{course.path}/students/2/assignments/1/items/1/certificate")).ok()
            return json.dumps(mine), json.dumps(theirs)

    proved, tried = asyncio.run(play())
    server.stop()

    def checked(text: str) -> tuple[int, str]:
        file = tmp_path / "certificate.json"
        file.write_text(text, encoding="utf-8")
        code = main(["replay", "--certificate", str(file), "--data", str(server.data)])
        return code, capsys.readouterr().out

    for text in (proved, tried):
        code, output = checked(text)
        assert (code, "NO" in output) == (0, False), output
    forged: list[dict[str, Any]] = [
        {"name": "Eve"},
        {"time": 1.0},
        {"log_sha256": "0" * 64},
        {"events": 4},
        {"proof": None},
        {"ending": None},
        {"ending": json.loads(proved)["ending"] | {"ends": "never ends"}},
        {"ending": json.loads(proved)["ending"] | {"event": 5}},
        {"hints": 3},
        {"points": 100},
        {"room": "A" * 22},
        {"proof": json.loads(proved)["proof"] | {"event": 5}},
        {"proof": json.loads(proved)["proof"] | {"facts": [{"loop": 1, "expression": "res = n * m"}]}},
    ]
    for change in forged:
        code, output = checked(json.dumps(json.loads(proved) | change))
        assert code == 1, (change, output)
        assert "NOT right" in output
    code, output = checked(json.dumps(json.loads(tried) | {"proof": json.loads(proved)["proof"]}))
    assert code == 1, output


def test_points_are_for_the_proof_medals_and_trying() -> None:
    rule = PointsRule(10, 2, 5)
    assert points_for(rule, False, 0, 0) == 0
    assert points_for(rule, False, 3, 2) == 2, "medals come with the gem only"
    assert points_for(rule, False, 0, 50) == 5
    assert points_for(rule, True, 3, 1) == 21
    assert points_for(PointsRule(0, 0, 3), False, 0, 3) == 1


def test_dates_and_being_late(server: Any) -> None:
    now = time.time()

    async def play() -> None:
        async with lesson(server.url) as course:
            await course.assign("multiply", opens=now + 86_400, due=now + 90_000)
            ada, _ = await course.student("Ada")
            view = (await ada.get(f"{course.path}/me")).ok()
            assert view["assignments"] == []
            assert view["coming"] == [pytest.approx(now + 86_400)]
            (await ada.post(f"{course.path}/assignments/1/hand-in")).refused("not-open")
            wrong = {"title": "Work", "items": [{"level": "multiply"}], "opens": 2.0, "due": 1.0}
            (await course.teacher.ask("PUT", f"{course.path}/assignments/1", wrong)).refused("bad-request", "due")
            change = {"title": "Work", "items": [{"level": "multiply"}]}
            (await course.teacher.ask("PUT", f"{course.path}/assignments/1", change | {"due": now + 86_400})).ok()
            room = await ada.room("multiply")
            await ada.judged(room, "cnt <= m")
            assert not (await course.hand_in(ada))["items"][0]["late"]
            (await course.teacher.ask("PUT", f"{course.path}/assignments/1", change | {"due": now - 10})).ok()
            await ada.judged(room, "res = n * cnt")
            [late] = (await course.hand_in(ada))["items"]
            assert (late["handed_in"], late["reason"], late["late"]) == (False, "kept", True), "what was in time is kept"
            bob, _ = await course.student("Bob")
            await proves(bob)
            [sent] = (await course.hand_in(bob))["items"]
            assert (sent["handed_in"], sent["late"], sent["points"]) == (True, True, 10)
            moved = change | {"items": [{"level": "cube"}, {"level": "multiply"}]}
            (await course.teacher.ask("PUT", f"{course.path}/assignments/1", moved)).refused("class-full")
            (await course.teacher.ask("DELETE", f"{course.path}/assignments/1")).ok()
            (await course.teacher.ask("DELETE", f"{course.path}/assignments/1")).refused("not-found")

    asyncio.run(play())


def test_alone_and_in_pairs(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course, client(server.url) as friend:
            await course.assign("multiply")
            await course.assign("multiply", pairs=True)
            ada, _ = await course.student("Ada")
            bob, _ = await course.student("Bob")
            helped = await ada.open("multiply", shared=True)
            await friend.become("An expert")
            (await friend.post("/api/rooms/join", {"code": helped["room"]["code"]})).ok()
            await ada.judged(helped["room"]["room"], FACTS[0])
            assert (await course.hand_in(ada, 2))["items"][0]["reason"] == "no-pair", "a pair are two of the class"
            (await ada.post(f"/api/rooms/{helped['room']['room']}/leave")).ok()
            opened = await ada.open("multiply", shared=True)
            room = opened["room"]["room"]
            await ada.judged(room, FACTS[0])
            assert (await course.hand_in(ada, 2))["items"][0]["reason"] == "no-pair"
            (await bob.post("/api/rooms/join", {"code": opened["room"]["code"]})).ok()
            await bob.judged(room, FACTS[1])
            assert (await course.hand_in(ada, 1))["items"][0]["reason"] == "not-alone"
            assert (await course.hand_in(ada, 2))["items"][0]["points"] == 10
            saved = (await course.teacher.get(f"{course.path}/export")).text.splitlines()
            assert len(set(saved)) == len(saved), "a room of two is saved once"
            view = (await bob.get(f"{course.path}/me")).ok()
            assert view["assignments"][1]["items"][0]["points"] == 10, "handed in for both"
            certificate = (await bob.get(f"{course.path}/assignments/2/items/1/certificate")).ok()
            assert (certificate["name"], certificate["players"], certificate["proof"]["credited"]) == ("Bob", 2, True)
            invited = {"kind": "invitation", "student": 2, "code": opened["room"]["code"].lower(), "text": "Help Ada"}
            (await course.teacher.post(f"{course.path}/messages", invited)).ok()
            (await course.teacher.post(f"{course.path}/messages", invited | {"code": "AAAAAAAA"})).refused("wrong-code")
            (await course.teacher.post(f"{course.path}/messages", {"kind": "hint", "text": " "})).refused("bad-request")
            (await course.teacher.post(f"{course.path}/messages", {"kind": "hint", "text": "Look", "student": 9})).refused(
                "not-found"
            )
            (await course.teacher.post(f"{course.path}/messages", {"kind": "hint", "text": "All of you"})).ok()
            sent = [(await who.get(f"{course.path}/me")).ok()["messages"] for who in (ada, bob)]
            assert [[message["text"] for message in messages] for messages in sent] == [["All of you"], ["Help Ada", "All of you"]]

    asyncio.run(play())


def test_without_hints_there_are_none_while_it_is_open(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course, client(server.url) as outsider:
            await course.assign("multiply", hints=False)
            ada, _ = await course.student("Ada")
            room = await ada.room("multiply")
            assert "Work" in (await ada.post(f"/api/rooms/{room}/hints")).refused("no-hint")["message"]
            (await ada.post(f"/api/rooms/{room}/partner", {"mode": "helper"})).refused("no-hint")
            (await ada.post(f"/api/rooms/{await ada.room('cube')}/hints")).ok()
            (await outsider.post(f"/api/rooms/{await outsider.room('multiply')}/hints")).ok()
            body = {"title": "Work", "items": [{"level": "multiply"}], "hints": True}
            (await course.teacher.ask("PUT", f"{course.path}/assignments/1", body)).ok()
            (await ada.post(f"/api/rooms/{room}/hints")).ok()

    asyncio.run(play())


def test_own_programs_are_assigned_by_their_hash(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course:
            source = COUNTING.replace("main", "upwards")  # The server keeps the first title of a program, and tests share it.
            program = (await course.teacher.post("/api/programs", {"source": source, "title": "Up"})).ok()["program"]
            items = [{"program": program, "text": "Count."}, {"level": "multiply", "title": "Again"}]
            body = {"title": "Own", "items": items}
            made = (await course.teacher.post(f"{course.path}/assignments", body)).ok()
            assert [(item["title"], item["level"]) for item in made["items"]] == [("Up", None), ("Again", "multiply")]
            ada, _ = await course.student("Ada")
            room = (await ada.post("/api/rooms", {"program": program})).ok()["room"]["room"]
            await ada.judged(room, "i <= n")
            assert (await course.table())["rows"][0]["cells"][0]["state"] == "proved"
            for wrong in ({"level": "none"}, {"program": "0" * 32}, {}, {"level": "cube", "program": program}):
                answer = await course.teacher.post(f"{course.path}/assignments", {"title": "Wrong", "items": [wrong]})
                answer.refused("bad-request", "items.0")
            twice = {"title": "Wrong", "items": [{"level": "cube"}, {"level": "cube"}]}
            (await course.teacher.post(f"{course.path}/assignments", twice)).refused("bad-request", "items.1")

    asyncio.run(play())


def test_links_archive_export_and_deleting(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course, client(server.url) as colleague:
            await course.assign("multiply")
            ada, joined = await course.student("Ada")
            room = await proves(ada)
            await course.hand_in(ada)
            taught = (await colleague.post("/api/classes/teach", {"secret": course.made["secret"]})).ok()
            assert (taught["class_id"], taught["secret"]) == (course.made["class_id"], None)
            new = (await course.teacher.post(f"{course.path}/links")).ok()
            assert new["code"] != course.made["code"]
            (await colleague.get(course.path)).refused("not-found")
            (await colleague.post("/api/classes/teach", {"secret": course.made["secret"]})).refused("wrong-code")
            (await colleague.post("/api/classes/join", {"code": course.made["code"], "name": "Bob"})).refused("wrong-code")
            (await colleague.post("/api/classes/teach", {"secret": new["secret"]})).ok()

            exported = (await course.teacher.get(f"{course.path}/export")).text
            lines = [json.loads(line) for line in exported.splitlines()]
            assert {line["kind"] for line in lines} == {"class", "student", "assignment", "hand-in", "room", "event"}
            events = [line["body"] for line in lines if line["kind"] == "event"]
            assert [event["number"] for event in events] == list(range(1, len(await ada.events(room)) + 1))
            assert joined["code"] not in exported
            assert course.made["secret"] not in exported

            archived = (await course.teacher.ask("PATCH", course.path, {"archived": True})).ok()
            assert archived["archived"]
            async with client(server.url) as late:
                (await late.post("/api/classes/join", {"code": new["code"], "name": "Bob"})).refused("class-archived")
            (await ada.post(f"{course.path}/assignments/1/hand-in")).refused("class-archived")
            (await course.teacher.post(f"{course.path}/roster", {"csv": "Bob"})).refused("class-archived")
            (await course.teacher.ask("PATCH", course.path, {"title": "Other"})).refused("class-archived")
            assert (await ada.get(f"{course.path}/me")).ok()["archived"]
            (await course.teacher.ask("PATCH", course.path, {"archived": False, "title": "Other"})).ok()

            (await course.teacher.ask("DELETE", course.path)).ok()
            (await course.teacher.get(course.path)).refused("not-found")
            (await ada.get("/api/players/me")).refused("wrong-token")
            (await ada.post("/api/classes/continue", {"code": joined["code"]})).refused("wrong-code")
            assert (await colleague.get("/api/classes")).ok()["classes"] == []

    asyncio.run(play())


def test_deleting_a_student_leaves_nothing_of_them(server: Any) -> None:
    async def play() -> None:
        async with lesson(server.url) as course:
            await course.assign("multiply")
            ada, _ = await course.student("Ada")
            bob, _ = await course.student("Bob")
            await proves(ada)
            await course.hand_in(ada)
            await bob.judged(await bob.room("multiply"), "cnt < m")
            assert len((await course.table())["rows"]) == 2
            (await course.teacher.ask("DELETE", f"{course.path}/students/1")).ok()
            (await course.teacher.ask("DELETE", f"{course.path}/students/1")).refused("not-found")
            table = await course.table()
            assert [(row["number"], row["name"]) for row in table["rows"]] == [(2, "Bob")]
            assert table["columns"][0]["proved"] == 0
            assert "Ada" not in (await course.teacher.get(f"{course.path}/export")).text
            pooled = (await course.teacher.get(f"{course.path}/assignments/1/items/1/pooled")).ok()
            assert (pooled["students"], pooled["solved"]) == (1, False)

    asyncio.run(play())


def test_where_only_teachers_make_classes(start_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    server = start_server(*UNLIMITED, "--classes", "teachers", "--log-level", "warning")

    async def play() -> None:
        async with client(server.url) as anybody, client(server.url, token=server.admin_token) as admin:
            (await anybody.post("/api/classes", {"title": "Mine"})).refused("not-teacher")
            (await anybody.post("/api/admin/teachers", {"name": "Ms Lamport"})).refused("not-admin")
            made = (await admin.post("/api/admin/teachers", {"name": "Ms Lamport"})).ok()
            (await anybody.post("/api/classes/continue", {"code": made["code"]})).ok()
            assert (await anybody.post("/api/classes", {"title": "Mine"})).ok()["title"] == "Mine"

    asyncio.run(play())

    def said(*arguments: str) -> str:
        assert main(["teachers", *arguments, "--data", str(server.data)]) == 0
        return capsys.readouterr().out

    def code_in(text: str) -> str:
        return text.split("The code is ")[1].split(":")[0]

    added = said("add", "Mr Hoare")
    first, player = code_in(added), added.split("(player ")[1].split(")")[0]
    assert "Ms Lamport  (1 class)" in said("list")
    second = code_in(said("code", player))

    async def come() -> None:
        async with client(server.url) as hoare:
            (await hoare.post("/api/classes/continue", {"code": first})).refused("wrong-code")
            (await hoare.post("/api/classes/continue", {"code": second})).ok()
            (await hoare.post("/api/classes", {"title": "His"})).ok()
            await asyncio.to_thread(said, "remove", player)
            (await hoare.post("/api/classes", {"title": "Another"})).refused("not-teacher")

    asyncio.run(come())
    for wrong in (("remove", player), ("code", "nobody"), ("add", "a\u202eb")):
        assert main(["teachers", *wrong, "--data", str(server.data)]) != 0
