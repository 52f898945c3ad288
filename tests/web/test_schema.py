"""Whatever one sends to the page, it is an answer that comes back: no 500, ever."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.conftest import HOME, Page, opened

# these start processes or send signals; tests of their own call them
LEFT_OUT = r"/(run|stop|pause|continue|resume|report|models|sweeps|cancel)$"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def page_to_spoil(tmp_path_factory: pytest.TempPathFactory, made: Path) -> Page:
    """It is told to write files."""
    folder = tmp_path_factory.mktemp("schema") / "own"
    shutil.copytree(made, folder)
    return opened(folder)


def attack(page: Page, examples: int) -> list[str]:
    """Every operation of the schema with values that fit it, and some that do not."""
    schema = page.client.get("/api/openapi.json").json()
    api = schemathesis.openapi.from_dict(schema)
    api.app = page.app
    tried = []
    for found in api.get_all_operations():
        operation = found.ok()
        starts = operation.method != "get" and re.search(LEFT_OUT, operation.path)
        if not starts and not operation.path.endswith("animation"):
            _try(page, operation, examples)
            tried.append(operation.label)
    return tried


def _try(page: Page, operation: Any, examples: int) -> None:
    session = page.vault.redeem(page.vault.link())
    ours = {"host": HOME.removeprefix("http://"), "origin": HOME}

    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy())
    def each(case: Any) -> None:
        case.call_and_validate(
            base_url=HOME,
            headers={**ours, "authorization": f"Bearer {session}"},
            checks=CHECKS,
        )

    each()


def test_no_request_breaks_the_server(page_to_spoil: Page) -> None:
    assert len(attack(page_to_spoil, 5)) > 15


@pytest.mark.full
def test_no_request_breaks_the_server_at_length(page_to_spoil: Page) -> None:
    assert attack(page_to_spoil, 60)
