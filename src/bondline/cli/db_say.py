"""How the library's answers look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bondline.cli.complaint import tell
from bondline.cli.say import count
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, fit, green

if TYPE_CHECKING:
    from bondline.library import Diff, Entry, Hit, Verdict
    from bondline.library.diff import Change


def plain_entry(entry: Entry) -> dict[str, Any]:
    """A version as a document."""
    signed = entry.signature
    return {
        "reference": f"library:{entry.reference}",
        "seal": entry.seal,
        "signer": signed.signer if signed else None,
        "passport": entry.passport.plain(),
    }


def found_table(mine: Voice, hits: Sequence[Hit], where: str) -> None:
    """Models that were found."""
    if not hits:
        mine.say(f"nothing found in {where}")
        return
    rows = [
        (f"{h.name}@{h.latest}", h.kind, h.owner, h.project or h.access, h.meaning)
        for h in hits
    ]
    table(mine, ("model", "kind", "owner", "for", "meaning"), rows)


def show_passport(mine: Voice, entry: Entry) -> None:
    """A passport on one page."""
    p, signed = entry.passport, entry.signature
    mine.print(f"{bold(str(entry.reference))}  {p.kind}  {p.meaning}".rstrip())
    said = f"Ed25519 {signed.signer}" if signed else "not signed"
    lines = {
        "owner": p.owner,
        "for": f"{p.access} {p.project}".rstrip(),
        "licence": p.licence or "none given",
        "policy": p.policy or "none",
        "added": f"{p.created[:19]} UTC",
        "digest": p.digest,
        "signer": said,
        "kit": p.kit or "not tried: declared only",
        "uses": ", ".join(p.uses) or "nothing",
        "files": ", ".join(p.files) or "none",
    }
    for key, value in lines.items():
        mine.print(f"  {key:<9}{fit(value, 11)}")
    rows = [(name, *_cells(port)) for name, port in p.ports.items()]
    _part(mine, ("port", "takes", "dofs", "nodes"), rows)
    cans = [(name, *_can(told)) for name, told in p.capabilities.items()]
    _part(mine, ("capability", "declared", "by the kit"), cans)
    sets = [
        (
            q["name"],
            _value(q),
            "" if q["unit"] == "1" else q["unit"],
            q["meaning"],
        )
        for q in p.parameters
    ]
    _part(mine, ("parameter", "value", "unit", "meaning"), sets)


def _value(parameter: Mapping[str, Any]) -> str:
    """The number, or the word that it stands for."""
    value, words = parameter["value"], parameter.get("choices") or ()
    return words[int(value)] if value in range(len(words)) else f"{value:g}"


def _part(mine: Voice, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if rows:
        mine.print()
        table(mine, head, rows)


def _cells(port: dict[str, Any]) -> tuple[str, str, str]:
    if "dofs" not in port:
        return "a signal" if port["incoming"] else "nothing", f"[{port['unit']}]", "1"
    both = zip(port["dofs"], port["units"], strict=False)
    dofs = " ".join(f"{dof} [{unit}]" for dof, unit in both)
    return port["takes"], f"{dofs}{', a frame' * port['frame']}", str(port["nodes"])


def _can(told: dict[str, Any]) -> tuple[str, str]:
    verified = green("verified") if told.get("verified") else dim("no")
    return "yes" if told["declared"] else "no", verified


def changed_lines(found: Diff) -> str:
    """What changed, a line each."""
    if found.same:
        return "no difference"
    rows = [_line(c) for c in found.passport]
    return "\n".join([*rows, *(f"file {_line(c)}" for c in found.files)])


def _line(c: Change) -> str:
    if c.before is None:
        return f"+ {c.what}: {c.after}"
    return (
        f"- {c.what}: {c.before}"
        if c.after is None
        else (f"~ {c.what}: {c.before} -> {c.after}")
    )


def verdict_lines(mine: Voice, verdict: Verdict) -> None:
    """What was looked at; what is wrong goes to stderr."""
    for error in verdict.problems:
        tell(mine, error)
    words = f"{count(verdict.models, 'model')}, {count(verdict.versions, 'version')}"
    words += f" ({verdict.signed} signed), {count(verdict.events, 'log row')}"
    if not verdict.problems:
        mine.print(f"{green('ok')}  {words}")
    mine.say(dim(f"    log head {verdict.head}"))
