"""SEC-26: records from forms are spelled as all others, and chained as well."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bondline.errors import StorageError
from bondline.remote.log.audit import AuditLog
from bondline.remote.log.audit_read import read_log
from bondline.remote.log.spelling import form, line_of, spelled

from .test_sec_26_audit import full_disk

WORDS = st.text(max_size=8)
NUMBERS = st.integers() | st.floats() | st.none() | st.booleans()
VALUES = NUMBERS | WORDS | st.lists(WORDS) | st.dictionaries(WORDS, NUMBERS)


@given(
    record=st.dictionaries(
        st.sampled_from(["who", "model", "ports", "session"]), VALUES
    ),
    late=st.dictionaries(st.sampled_from(["t0", "step", "numbers", "in"]), VALUES),
    n=st.integers(0),
)
def test_a_form_that_is_filled_in_is_the_one_spelling(record, late, n):
    made = {**record, **late, "at": "now", "n": n}
    values = {key: spelled(value) for key, value in late.items()}
    assert form(record, *late) % {**values, "at": '"now"', "n": n} == line_of(made)


@pytest.mark.parametrize("value", [np.float64(0.1), 1, True, -0.0, 1e22, 5e-324])
def test_one_value_is_spelled_as_in_a_record(value):
    assert line_of({"a": value}) == f'{{"a":{spelled(value)}}}'


def entries(*each):
    return [(form({"kind": "call"}, "who"), {"who": spelled(who)}) for who in each]


def told(log):
    return [r["who"] for r in read_log(log.path).records if r["kind"] == "call"]


def test_records_that_are_written_together_are_links_as_any_other(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl", "owner")
    assert log.write("call", who="a") == 1
    assert log.write_all(entries("b", "ü%s\n")) == 3
    other = AuditLog(log.path, "owner")
    assert other.write_all(entries("d")) == 4
    assert log.write("call", who="e") == 5
    assert told(log) == ["a", "b", "ü%s\n", "d", "e"]
    assert AuditLog(log.path, "owner").head() == log.head()


@pytest.mark.parametrize("room", [0, 20, 200], ids=["none", "a little", "for one"])
def test_a_disk_that_was_full_keeps_whole_records(tmp_path, room):
    log = AuditLog(tmp_path / "audit.jsonl", "owner")
    with full_disk(log.path, room), pytest.raises(StorageError, match="nothing is"):
        log.write_all(entries("a", "b"))
    log.write("call", who="c")
    assert told(log) == (["a", "c"] if room == 200 else ["c"])
