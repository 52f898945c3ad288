"""What the README and the tutorial show is what happens."""

from __future__ import annotations

import re

import pytest

from tests.fences import blocks, commands, rule_for, run_page, run_python

SAMPLE = """\
# Title
```sh
git clone somewhere/bondline   # get it
./run bondline run examples/x \\
    --until 1s
```
~~~console
$ ./run demo
report written to runs/r-1/report.html
$ ./run test --full
~~~
```python
print("hello")
```
```text
$ ./run nothing
```
"""


@pytest.fixture(scope="module")
def readme(project):
    return (project / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tutorial(project):
    return (project / "docs" / "tutorial.md").read_text(encoding="utf-8")


def test_commands_are_read_from_blocks_and_prompts():
    assert commands(SAMPLE) == [
        "git clone somewhere/bondline",
        "./run bondline run examples/x --until 1s",
        "./run demo",
        "./run test --full",
    ]
    assert blocks(SAMPLE, {"python"}) == ['print("hello")\n']


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("git clone x", False),
        ("./run test -k pendulum", False),
        ("./run demo", True),
        ("./run bondline check examples/double_pendulum", True),
    ],
)
def test_every_command_runs_or_has_a_reason_not_to(command, runs):
    rule = rule_for(command)
    assert rule is not None
    assert (rule.reason == "") == runs


def test_an_unknown_command_has_no_rule():
    assert rule_for("./run demolish") is None
    assert rule_for("curl somewhere") is None


def test_the_readme_shows_the_two_commands(readme):
    assert {"./run demo", "./run test"} <= set(commands(readme))


def test_the_commands_of_the_readme_work(readme, project, tmp_path):
    assert "./run demo" in run_page(readme, project, tmp_path)


def test_the_python_of_the_readme_works(readme, tmp_path):
    assert blocks(readme, {"python"})
    run_python(readme, tmp_path)


def test_the_commands_of_the_tutorial_work(tutorial, project, tmp_path):
    assert "./run demo" in run_page(tutorial, project, tmp_path)


def test_the_python_of_the_tutorial_works(tutorial, tmp_path):
    run_python(tutorial, tmp_path)


def test_what_the_readme_links_to_is_there(readme, project):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", readme)
    assert [target for target in targets if not (project / target).exists()] == []


def test_the_hello_world_of_the_readme_is_short(readme):
    lines = [line for line in blocks(readme, {"python"})[0].splitlines() if line]
    assert len(lines) <= 20
