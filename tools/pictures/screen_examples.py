"""What the screens of screens.py show: programs, and the answers of a server with a study."""

from __future__ import annotations

WRONG_PROGRAM = """fn main(n: nat) {
  var i: int;
  i := 0;
  while (i < n) {
    i := i + 1;
  }
  assert(i < 10);
}
"""


C_PROGRAM = """void main(int n) {
  assume(n >= 0);
  int i = 0;
  while (i < n) { i++; }
  assert(i == n);
}
"""


HELPER_PROGRAM = """fn double(x: nat): nat {
  post(result = 2 * old(x));
  var y: nat := 0;
  while (x > 0) {
    x := x - 1;
    y := y + 2;
  }
  return y;
}

fn main(n: nat) {
  var i, s: nat := 0;
  while (i < n) {
    i := i + 1;
    s := s + double(i);
  }
  assert(s = n * (n + 1));
}
"""


STUDY = {
    "study": "spring",
    "title": "How people find facts",
    "open": True,
    "consent": "You take part in a study of how people find facts about small programs.",
    "consent_version": "1",
    "stored": [],
    "minutes": 60,
    "retention_days": 365,
}
PARTICIPANT = {
    "study": "spring",
    "title": "How people find facts",
    "player": "study-1",
    "name": "Emmy 12",
    "variant": "trace",
    "levels": [],
    "level_count": 3,
    "tutorial": False,
    "hints": False,
    "until": 4_000_000_000,
    "questions": [
        {"id": "programming", "text": "Have you programmed before?", "kind": "choice", "choices": ["no", "yes"], "when": "start"},
        {"id": "fun", "text": "It was fun.", "kind": "scale", "choices": [], "when": "end"},
        {"id": "comment", "text": "Anything else?", "kind": "text", "choices": [], "when": "end"},
    ],
    "progress": [{"opened": True, "done": False}, {"opened": True, "done": True}, {"opened": False, "done": False}],
    "time": 3_999_998_000,
    "finished": False,
    "code": None,
}
_COLUMNS = [{"name": name, "type": "int"} for name in ("n", "cnt", "res")]
TABLE = {
    "number": 1,
    "run": {
        "params": _COLUMNS[:1],
        "inputs": {"n": "3"},
        "loops": [{"loop": 1, "columns": _COLUMNS, "rows": [["3", str(cnt), str(3 * cnt)] for cnt in range(4)], "rows_total": 4}],
    },
    "accepted": [{"loop": 1, "expression": "res = n * cnt"}],
    "points": 10,
    "target": 6,
}
