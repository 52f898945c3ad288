"""Commands that ask a model without running it: parts at partners' answer, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bondline.cli import main
from bondline.remote import bondline_pb2 as pb
from bondline.remote.failures import Refused
from bondline.remote.log.audit import NAME
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.gate import Call
from bondline.remote.owner.host import Open
from bondline.remote.privacy.methods import expand
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.run import find
from tests.remote.conftest import Supplier, Supply, placement

EXAMPLES = {
    "chain": "examples/linear_chain/SystemStructure.ssd",
    "nested": "examples/linear_chain/Nested.ssd",
    "pendulum": "examples/double_pendulum/SystemStructure.ssd",
    "frame": "examples/truck_frame/Flat.ssd",
}
BETWEEN = ["--load", "four.right.x", "--at", "one.left.x"]
ASKED = {
    "ports": ["info", "--interfaces"],
    "abilities": ["info", "--capabilities"],
    "modes": ["modes", "--below", "5Hz"],
    "frf": ["frf", *BETWEEN, "--to", "5Hz", "--points", "40", "-o", "f.csv"],
    "static": ["static", "--load-steps", "2"],
    "advise": ["advise", "--until", "1s"],
}
ME = "spiffe://test/integrator"


@dataclass(frozen=True)
class Desk:
    """Where commands are given, and partners who have all parts of a model."""

    folder: Path
    model: Path
    capsys: pytest.CaptureFixture[str]
    there: Supplier

    @property
    def sessions(self) -> int:
        return len(self.there.server.host.sessions)

    def ask(self, words: list[str], *more: object) -> dict[str, Any]:
        """The answer, without what is of this one call."""
        code, out, err = self.say(words, *more, "--json")
        assert code == 0, f"{out}{err}"
        own = ("run", "path", "seconds", "file", "created")
        return {k: v for k, v in json.loads(out).items() if k not in own}

    def say(self, words: list[str], *more: object) -> tuple[int, str, str]:
        about = [] if words[0] in ("certify", "picture") else [str(self.model)]
        head = ["--project", str(self.folder), words[0], *about, *words[1:]]
        code = main([*head, *map(str, more)])
        return (code, *self.capsys.readouterr())

    def table(self) -> bytes:
        """What the last command wrote, which is taken away."""
        file = self.folder / "f.csv"
        found = file.read_bytes() if file.exists() else b""
        file.unlink(missing_ok=True)
        return found

    def away(self, *parts: str) -> tuple[str, Path]:
        file, places = self.folder / "p.toml", dict.fromkeys(parts, self.there.address)
        return "--placement", placement(file, places, self.there.secrets)


@pytest.fixture
def desk(
    request: pytest.FixtureRequest,
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    supply: Supply,
) -> Iterator[Desk]:
    name, gate = getattr(request, "param", ("chain", None))
    with chdir(tmp_path):  # files are written here
        there = supply(project / EXAMPLES[name], gate=gate)
        yield Desk(tmp_path, project / EXAMPLES[name], capsys, there)


@pytest.mark.parametrize("what", ASKED)
def test_a_command_with_partners_answers_as_without(what: str, desk: Desk):
    words = ASKED[what]
    here, table = desk.ask(words), desk.table()
    away = desk.ask(words, *desk.away("two", "four"))
    partners = away.pop("partners", None)
    assert away == here
    assert (partners is not None) is (what == "advise")
    assert desk.table() == table
    assert len(table.splitlines()) == (41 if what == "frf" else 0)
    assert desk.sessions == 0, "the partner was told that it is over"


def test_advise_says_how_long_partners_are_waited_for(desk: Desk):
    code, out, _ = desk.say(["advise", "--until", "1s"], *desk.away("two", "four"))
    assert code == 0
    said = " ".join(out.split())
    assert "100 windows wait for" in said
    assert "--block 50 they are asked once for 50 windows" in said
    told = desk.ask(["advise", "--until", "1s"], *desk.away("two", "four"))["partners"]
    each = [part["round_trip"] for part in told["parts"].values()]
    assert told["windows"] == 100
    assert told["least"] == 100 * max(each) > 0.0
    assert {part["partner"] for part in told["parts"].values()} == {desk.there.address}
    assert "Partners" not in desk.say(["advise", "--until", "1s"])[1]


@pytest.mark.parametrize("desk", [("pendulum", None)], indirect=True)
def test_advise_says_who_cannot_go_many_windows_at_once(desk: Desk):
    code, out, _ = desk.say(["advise", "--until", "0.1s"], *desk.away("lower"))
    assert code == 0
    assert "lower cannot go many at once" in " ".join(out.split())


def test_info_says_at_whose_place_a_part_is(desk: Desk):
    code, out, _ = desk.say(["info"], *desk.away("two"))
    assert code == 0
    assert f"two  at {desk.there.address}" in out
    tree = desk.ask(["info"], *desk.away("two"))["tree"]
    at = {part["name"]: part.get("partner") for part in tree["parts"]}
    assert at == {"one": None, "two": desk.there.address, "three": None, "four": None}


def test_rest_is_a_run_with_the_log_of_its_partners(desk: Desk):
    flag = desk.away("two")
    assert desk.say(["static", "--name", "away"], *flag)[0] == 0
    assert desk.say(["static", "--name", "here"])[0] == 0
    away, here = (find(desk.folder / "runs", n) for n in ("away", "here"))
    assert away.summary.sha256 == here.summary.sha256
    log = read_log(away.path / NAME)
    assert {r["who"] for r in log.records if "who" in r} == {desk.there.address}
    assert "equilibrium" in {r.get("method") for r in log.records}
    assert not (here.path / NAME).exists()


@pytest.mark.parametrize("desk", [("nested", None)], indirect=True)
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_rest_is_stored_alike_wherever_an_assembly_is(steps: int, desk: Desk):
    """Forces of its inner joints grow over a step, there as here."""
    words = ["static", "--load-steps", str(steps), "--name"]
    assert desk.say([*words, "away"], *desk.away("near"))[0] == 0
    assert desk.say([*words, "here"])[0] == 0
    away, here = (find(desk.folder / "runs", n) for n in ("away", "here"))
    inner = here.results().signals["near.joint.a.Fx"]
    assert inner[0] == 0.0 < abs(inner[-1])
    assert {*away.results().signals} == {*here.results().signals}
    for name, values in here.results().signals.items():
        assert away.results().signals[name].tolist() == values.tolist(), name
    assert away.summary.sha256 == here.summary.sha256


def test_a_run_is_certified_where_its_parts_are(desk: Desk):
    """By its own command and with the run; here nobody has the part."""
    flag, short = desk.away("two"), ["--until", "100ms", "--step", "10ms"]
    assert desk.say(["run", "--name", "here", "--certify", *short])[0] == 0
    assert desk.say(["run", "--name", "away", *short], *flag)[0] == 0
    before = len(read_log(find(desk.folder / "runs", "away").path / NAME).records)
    assert desk.say(["certify", "away"], *flag)[0] == 0
    assert desk.say(["run", "--name", "both", "--certify", *short], *flag)[0] == 0
    runs = [find(desk.folder / "runs", n) for n in ("here", "away", "both")]
    here, away, both = (run.certificate for run in runs)
    assert here["refined"] == away["refined"] == both["refined"]
    log = read_log(runs[1].path / NAME)
    lengths = {round(1e3 * r["step"], 6) for r in log.records if r.get("step")}
    assert len(log.records) > before
    assert lengths == {10.0, 5.0, 2.5}
    assert desk.sessions == 0


@pytest.mark.parametrize("desk", [("frame", None)], indirect=True)
def test_a_picture_shows_what_a_partner_shows(desk: Desk):
    flag = desk.away("connector_1")
    words = ["picture", str(desk.model), "-o", "p.svg"]
    here, away = desk.ask(words), desk.ask(words, *flag)
    assert away == here
    assert "connector_1" in away["parts"]
    assert desk.sessions == 0


def policy(*words: str) -> PolicyGate:
    wide = Steps(least=1e-5, most=1.0)  # advise tries many lengths
    own = Grant(ME, "*", expand(words), ports=frozenset("*"), steps=wide)
    return PolicyGate(Policy(grants=(own,)))


RUNS = policy("session", "run", "begin")
ONE_LENGTH = Grant(ME, "*", expand(("session", "run", "begin")), steps=Steps((0.01,)))
DENIED = {"modes": "frequency", "frf": "frequency", "static": "statics"}


@pytest.mark.parametrize("desk", [("chain", RUNS)], indirect=True)
@pytest.mark.parametrize("what", DENIED)
def test_what_is_not_granted_is_told_with_the_partner_and_the_word(
    what: str, desk: Desk
):
    code, _, err = desk.say(ASKED[what], *desk.away("two"))
    assert code == 3
    assert f"two (partner {desk.there.address})" in err
    assert "is not granted for two" in err
    assert f'"{DENIED[what]}"' in err
    assert "Ask its owner to allow it." in err
    assert desk.sessions == 0


@pytest.mark.parametrize(
    "desk",
    [("pendulum", PolicyGate(Policy(grants=(ONE_LENGTH,))))],
    indirect=True,
)
def test_windows_that_only_a_trial_asks_for_are_told_as_such(desk: Desk):
    tried = "linear-discontinuous/e,v"  # which only some steps are stable with
    words = ["run", "--until", "50ms", "--step", "10ms", "--scheme", tried]
    code, _, err = desk.say(words, *desk.away("lower"))
    said = " ".join(err.split())
    assert code == 3
    assert f"lower (partner {desk.there.address})" in said
    assert "windows of 0.005 s are not granted" in said
    assert "in a trial of whether steps of 0.01 s are stable" in said


class TakenOver(Open):
    """Somebody else has the session, after a few windows."""

    calls = 0

    def admit(self, call: Call) -> None:
        self.calls += 1
        if self.calls > 40:
            raise Refused(pb.CODE_ABORTED, "Another has it.")


@pytest.mark.parametrize("desk", [("pendulum", TakenOver())], indirect=True)
def test_who_was_taken_over_is_told_how_to_resume(desk: Desk):
    flag = desk.away("lower")
    words = ["run", "--until", "1s", "--step", "10ms", "--name", "first"]
    code, _, err = desk.say(words, *flag)
    assert code == 23
    assert f"first --placement {flag[1]}" in " ".join(err.split())


NEEDED = {
    "check": ("session",),
    "ports": ("session", "start", "begin"),
    "modes": ("session", "start", "frequency"),
    "frf": ("session", "start", "frequency"),
    "static": ("session", "start", "begin", "statics", "checkpoint"),
    "advise": ("session", "run", "begin", "statics"),
}
ANSWERED = {
    "check": "ok",
    "ports": "signals",
    "modes": "modes",
    "frf": "peak",
    "static": "forces",
    "advise": "recommended",
}


@pytest.mark.parametrize(
    ("desk", "what"),
    [(("chain", policy(*words)), what) for what, words in NEEDED.items()],
    indirect=["desk"],
    ids=NEEDED,
)
def test_the_methods_that_the_guide_lists_suffice(what: str, desk: Desk, project: Path):
    words, asked = NEEDED[what], {**ASKED, "check": ["check"]}[what]
    told = desk.ask(asked, *desk.away("two"))
    answer = told["interfaces"] if what == "ports" else told
    assert answer[ANSWERED[what]], "not only that it did not fail"
    guide = (project / "docs/guide/remote.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in guide.splitlines() if row.startswith("| `")]
    (line,) = [row[2] for row in rows if f"`{asked[0]}`" in row[1]]
    assert all(f"`{word}`" in line for word in words)


@pytest.mark.parametrize("desk", [("pendulum", None)], indirect=True)
@pytest.mark.parametrize("what", ["modes", "static"])
def test_what_a_model_cannot_is_told_with_the_partner(what: str, desk: Desk):
    code, _, err = desk.say(ASKED[what], *desk.away("lower"))
    assert code == 3
    assert f"lower (partner {desk.there.address})" in err
    assert "does not offer" in err
    assert "Ask its owner" in err


def test_values_that_a_partner_never_sees_are_a_warning(desk: Desk):
    words = [*ASKED["modes"], "--set", "two.mass=2kg"]
    code, _, err = desk.say(words, *desk.away("two"))
    assert code == 0
    assert "BND081" in err
    assert "mass" in err
    assert "BND081" not in desk.say(words)[2]


def test_the_recommended_command_has_the_placement_too(desk: Desk):
    code, out, _ = desk.say(ASKED["advise"], *desk.away("two"))
    assert code == 0
    (command,) = [line for line in out.splitlines() if "bondline run" in line]
    assert out.index("Recommended") < out.index(command)
    assert "--placement" in command
    assert str(desk.folder / "p.toml") in command
