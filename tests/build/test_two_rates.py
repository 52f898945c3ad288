"""Two rates as a model file says them."""

import numpy as np
import pytest

from bondline.build import Given, build, catalogue
from bondline.build.given import apply
from bondline.description import check, read
from bondline.errors import SettingError, UsageError
from bondline.gluing import TwoRates
from tests.description.wrong import NESTED, PENDULUM, changed, problems, write
from tests.gluing.two_rates_parts import run

RATES = '<g:rates fast="lower" ratio="4" order="2" form="residual" iterate="true"/>'


def pendulum(tmp_path, rates=RATES, **more):
    text = changed(PENDULUM, "</g:gluing>", f"{rates}</g:gluing>")
    text = changed(text, ' scheme="constant/e"', more.get("scheme", ""))
    return read(write(tmp_path, text), catalogue())


def test_a_file_says_which_part_is_fast(tmp_path):
    model = build(pendulum(tmp_path))
    assert isinstance(model.coupling, TwoRates)
    said = model.coupling.settings()
    assert (said["fast"], said["rate"], said["order"]) == ("lower", 4, 2)
    assert (said["form"], said["iterate"]) == ("residual", True)
    assert "lower takes 4 windows" in model.why


def test_the_pendulum_at_two_rates_is_the_pendulum(tmp_path):
    plain = build(read(write(tmp_path, PENDULUM), catalogue()))
    H, n = 0.005, 40
    want, got = (run(m, H, n)[-1].state for m in (plain, build(pendulum(tmp_path))))
    ends = [
        np.concatenate([s.motions[r].x for r in sorted(s.motions)]) for s in (want, got)
    ]
    assert np.abs(ends[0]).max() > 0.1
    assert np.abs(ends[0] - ends[1]).max() < 1e-5


def test_without_more_words_windows_go_in_one_pass(tmp_path):
    model = build(pendulum(tmp_path, '<g:rates fast="lower"/>'))
    done = run(model, 0.002, 4)
    assert [a.stats["sweeps"] == 1 for a in done] == [False, True, True, True]
    assert model.coupling.windows == 10


def test_joints_between_slow_elements_are_found_by_check(tmp_path):
    fast = '<g:rates fast="two"/></g:gluing>'
    at = NESTED.rindex("</g:gluing>")
    text = NESTED[:at] + fast + NESTED[at + len("</g:gluing>") :]
    codes = [p.code for p in problems(write(tmp_path, text))]
    assert "BND058" in codes


def test_two_rates_are_for_forces(tmp_path):
    text = changed(PENDULUM, "</g:gluing>", '<g:rates fast="lower"/></g:gluing>')
    text = changed(text, 'method="T-T"', 'method="X-T"')
    found = [p for p in problems(write(tmp_path, text)) if p.code == "BND058"]
    assert "the coupling is X-T" in found[0].finding


def test_the_ratio_may_be_given(tmp_path):
    spec = apply(pendulum(tmp_path), catalogue(), Given(rate=7))
    assert build(spec).coupling.windows == 7
    with pytest.raises(SettingError, match="--rate 2000000"):
        apply(pendulum(tmp_path), catalogue(), Given(rate=2_000_000))
    plain = read(write(tmp_path, PENDULUM), catalogue())
    with pytest.raises(UsageError, match="nothing in double_pendulum goes at two"):
        apply(plain, catalogue(), Given(rate=7))


def test_a_scheme_that_short_windows_cannot_have_is_refused(tmp_path):
    spec = pendulum(tmp_path, scheme=' scheme="newmark/a,v,u"')
    assert not [p for p in check(spec, catalogue()) if p.fatal]
    with pytest.raises(SettingError, match="two rates: inside"):
        build(spec)
