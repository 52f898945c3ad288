"""Policies as files: what they grant, and how they complain."""

from __future__ import annotations

import pytest

from bondline.cli import main
from bondline.errors import SecurityError
from bondline.remote.owner.gate import Call, Denied
from bondline.remote.owner.published import Published
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Steps
from bondline.remote.privacy.policy_file import load_policy, read_policy
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.privacy.policy_template import template

GOOD = """\
[owner]
audit = "log/audit.jsonl"
budgets = "budgets.sqlite"
keep = "numbers"

[models.rail]
band = "60 Hz"
digest = "sha256:{digest}"
observables = ["tip.z"]
publish = ["outline"]

[[grant]]
who = "spiffe://truck/integrator"
model = "rail"
ports = ["A", "B"]
methods = ["session", "run", "receptance"]
steps = ["1 ms", "0.5ms"]
windows_per_day = 1000
rollbacks = 3
blocks = {{ max = 50 }}
monitor = {{ band = "0.1 kHz", action = "stop" }}

[[grant]]
who = "spiffe://truck/other"
model = "*"
methods = "session"
steps = {{ from = "100 us", to = "1 s" }}
""".format(digest="a" * 64)


def test_a_policy_says_what_it_grants(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text(GOOD)
    found = load_policy(path)
    one = found.grant("spiffe://truck/integrator", "rail")
    assert one.methods >= {"open", "advance", "receptance"}
    assert "equilibrium" not in one.methods
    assert one.ports == {"A", "B"}
    assert one.steps.allow(1e-3)
    assert one.steps.allow(5e-4)
    assert not one.steps.allow(2e-3)
    assert one.budget.limits() == {"windows": 1000}
    assert (one.rollbacks, one.blocks) == (3, 50)
    assert (one.monitor.band, one.monitor.action) == (100.0, "stop")
    assert found.audit == tmp_path / "log" / "audit.jsonl"
    assert found.terms("rail").band == 60.0
    assert found.terms("rail").observables == ("tip.z",)


EMPTY = [
    ('ports = ["A", "B"]\n', "ports = []\n", "ports", frozenset()),
    ('ports = ["A", "B"]\n', "", "ports", frozenset({"*"})),
    ('methods = ["session", "run", "receptance"]', "methods = []", "methods", set()),
    ('steps = ["1 ms", "0.5ms"]', "steps = []", "steps", Steps()),
    ("blocks = { max = 50 }", "blocks = {}", "blocks", 1),
    ('steps = ["1 ms", "0.5ms"]\n', "", "steps", Steps()),
]


@pytest.mark.parametrize(("old", "new", "key", "granted"), EMPTY)
def test_an_empty_list_grants_nothing(old, new, key, granted):
    assert old in GOOD
    found = read_policy(GOOD.replace(old, new))
    assert getattr(found.grants[0], key) == granted


def test_no_port_means_no_port(tmp_path, capsys):
    path = tmp_path / "policy.toml"
    path.write_text(GOOD.replace('["A", "B"]', "[]"))
    who = "spiffe://truck/integrator"
    call = Call(who, "rail", "advance", ports=("A",), step=1e-3, windows=1)
    denied = PolicyGate(load_policy(path)).admit(call)
    assert isinstance(denied, Denied)
    assert denied.reason == "port A of rail is not granted."
    assert main(["policy", "check", str(path)]) == 0
    said = capsys.readouterr()
    assert "ports" in said.out
    assert "may use no port of rail" in said.err


@pytest.mark.parametrize(
    ("shown", "seen"),
    [('["*"]', {"tip.z", "b.z"}), ("[]", set()), ('["b.z"]', {"b.z"})],
)
def test_a_star_means_all_observables(shown, seen):
    policy = read_policy(GOOD.replace('["tip.z"]', shown))
    gate, call = PolicyGate(policy), Call("", "rail", "observe")
    assert gate.shown(call, ("tip.z", "b.z")) == seen
    told = Published(policy.terms("rail").seen)
    assert set(told.chosen({"tip.z": 1, "b.z": 2})) == seen


def test_a_range_of_windows_has_two_ends():
    steps = read_policy(GOOD).grant("spiffe://truck/other", "anything").steps
    assert steps.allow(1e-4)
    assert steps.allow(1.0)
    assert not steps.allow(9.9e-5)
    assert not steps.allow(1.01)


def test_an_empty_policy_grants_nothing():
    found = read_policy("")
    assert found.grant("spiffe://truck/integrator", "rail") is None
    assert found.grant("", "rail") is None


def test_a_grid_may_wobble_in_its_last_digits():
    steps = read_policy(GOOD).grant("spiffe://truck/integrator", "rail").steps
    assert steps.allow(0.301 - 0.3)
    assert not steps.allow(1e-3 * (1 + 1e-6))


MISTAKES = [
    ('keep = "numbers"', 'keep = "everything"', 4, "keep cannot be 'everything'"),
    ('band = "60 Hz"', "band = 60", 7, "60 is not a positive number with one of"),
    ('band = "60 Hz"', 'band = "60 rpm"', 7, "Hz, kHz"),
    ('band = "60 Hz"', 'band = "-60 Hz"', 7, "not a positive number"),
    ('"sha256:a', '"sha256:z', 8, "is no digest"),
    ('publish = ["outline"]', 'publish = ["inside"]', 10, "nothing is called 'inside'"),
    ('model = "rail"', 'modle = "rail"', 14, "nothing is called 'modle'"),
    ('"receptance"]', '"receptanse"]', 16, "Did you mean 'receptance'?"),
    ('"1 ms", "0.5ms"', '"1 ms", "soon"', 17, "'soon' is not a positive number"),
    ("windows_per_day = 1000", "windows_per_day = -1", 18, "-1 is no count"),
    ("windows_per_day = 1000", "windows_per_day = true", 18, "True is no count"),
    ("rollbacks = 3", "rollbacks = 3.5", 19, "3.5 is no count"),
    ("{ max = 50 }", "50", 20, "blocks is a table"),
    ("{ max = 50 }", "{ max = 0 }", 20, "Write max = 1"),
    ('{ band = "0.1 kHz", action = "stop" }', "{}", 21, "the monitor has no band"),
    ('action = "stop"', 'action = ""', 21, "action cannot be ''"),
    ('keep = "numbers"', 'keep = ""', 4, "keep cannot be ''"),
    (f'"sha256:{"a" * 64}"', '""', 8, "'' is no digest"),
    ('action = "stop"', 'action = "shout"', 21, "action cannot be 'shout'"),
    ('band = "0.1 kHz", ', "", 21, "the monitor has no band"),
    ('to = "1 s"', 'upto = "1 s"', 27, "nothing is called 'upto'"),
    ('"spiffe://truck/other"', '"*"', 24, "a grant to everybody is none"),
    ('"spiffe://truck/other"', '"other"', 24, "'other' is the identity of no cert"),
    ('who = "spiffe://truck/other"\n', "", 23, "this grant has no who"),
]


@pytest.mark.parametrize(("old", "new", "line", "words"), MISTAKES)
def test_a_mistake_is_told_with_its_line(old, new, line, words):
    assert old in GOOD
    with pytest.raises(SecurityError) as wrong:
        read_policy(GOOD.replace(old, new))
    told = [p for p in wrong.value.problems if p.place == f"policy.toml:{line}"]
    assert any(words in f"{p.finding} {p.remedy}" for p in told), wrong.value.problems
    assert wrong.value.exit_code == 3


@pytest.mark.parametrize(
    ("text", "line"), [("a = \n", 1), ("[owner]\nkeep = 'x\n", 2), ("[[grant\n", 1)]
)
def test_what_is_not_toml_is_told_with_its_line(text, line):
    with pytest.raises(SecurityError, match="this is not TOML") as wrong:
        read_policy(text)
    assert wrong.value.place == f"policy.toml:{line}"


def test_all_mistakes_come_at_once():
    bad = GOOD
    for old, new, _, _ in (MISTAKES[0], MISTAKES[1], MISTAKES[9]):
        bad = bad.replace(old, new)
    with pytest.raises(SecurityError, match="And 2 more") as wrong:
        read_policy(bad)
    assert len(wrong.value.problems) == 3


def test_two_grants_for_the_same_are_refused():
    twice = GOOD + GOOD[GOOD.index("[[grant]]") :].split("\n\n")[0]
    with pytest.raises(SecurityError, match="only the first one would count"):
        read_policy(twice)


def test_one_word_is_no_list_of_grants():
    with pytest.raises(SecurityError, match=r"\[\[grant\]\]"):
        read_policy('[grant]\nwho = "x"\n')


def test_the_template_is_a_policy_with_nothing_dangerous():
    found = read_policy(template("spiffe://truck/integrator", "rail"))
    grant = found.grant("spiffe://truck/integrator", "rail")
    assert grant.methods < set(METHODS)
    assert not grant.methods & {"receptance", "impulse", "respond_block", "observe"}
    assert grant.blocks == 1
    assert found.audit
    assert found.budgets


def test_from_the_command_line(tmp_path, capsys):
    path = tmp_path / "policy.toml"
    assert main(["policy", "new", str(path), "--model", "rail"]) == 0
    assert main(["policy", "check", str(path)]) == 0
    assert "all else is denied" in capsys.readouterr().out
    path.write_text(path.read_text().replace('"1 ms"', '"1 mm"'))
    assert main(["policy", "check", str(path)]) == 3
    said = capsys.readouterr().err
    assert "policy.toml:" in said
    assert "'1 mm'" in said
    assert main(["policy", "new", str(path)]) == 40
    assert "1 mm" in path.read_text()


def test_a_policy_that_is_not_there_says_how_to_start(tmp_path):
    with pytest.raises(SecurityError, match="bondline policy new"):
        load_policy(tmp_path / "none.toml")


def test_doubtful_grants_are_warned_of(tmp_path, capsys):
    path = tmp_path / "policy.toml"
    path.write_text(GOOD.replace('band = "60 Hz"\n', ""))
    assert main(["policy", "check", str(path)]) == 0
    said = capsys.readouterr().err
    assert "sweep rail in frequency" in said
    assert "impulse responses of rail" in said
