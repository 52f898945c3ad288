"""`bondline db add`: a model into the library, with its passport."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline import __version__
from bondline.cli.db_options import As, Url
from bondline.cli.db_say import plain_entry
from bondline.cli.duration import seconds
from bondline.cli.options import Json, Placement
from bondline.cli.partners import partners, where_of
from bondline.cli.voice import Voice, bold, dim, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.build.to_library import Drafted
    from bondline.core import Model
    from bondline.library import Draft, Entry
    from bondline.testing import Report

# which checks of the kit try which capability
_TRIED = {
    "rollback": ("repeatability", "rollback"),
    "linear": ("affinity",),
    "acceleration": ("acceleration",),
    "one_step": ("one step",),
    "serialises": ("serialisation",),
    "linearises": ("linearise",),
}


def add(
    ctx: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A model, the file of a part, or MODEL:part at a partner's.",
        ),
    ],
    name: Annotated[str, typer.Option(help="Its name; else that of the file.")] = "",
    meaning: Annotated[str, typer.Option(help="What it is, in one line.")] = "",
    licence: Annotated[str, typer.Option(help="For example Apache-2.0.")] = "",
    project: Annotated[
        str, typer.Option("--in", metavar="PROJECT", help="For the members of this.")
    ] = "",
    access: Annotated[
        str,
        typer.Option(
            help="private, project or public; else as before, or as --in says."
        ),
    ] = "",
    policy: Annotated[
        Path | None, typer.Option(help="The policy that it is served under.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", help="Sign it: bondline db key makes one.")
    ] = None,
    declared: Annotated[
        bool, typer.Option("--declared", help="Do not try what it declares.")
    ] = False,
    window: Annotated[
        str, typer.Option("--window", metavar="TIME", help="For trying it.")
    ] = "10ms",
    placement: Placement = None,
    url: Url = None,
    who: As = None,
    json: Json = False,
) -> None:
    """Add a model, or its next version, with a passport.

    The conformance kit tries what the model declares; one that fails is not added
    (exit code 33). Nothing is added where nothing has changed.
    """
    from bondline.build.to_library import drafted
    from bondline.library import Library, read_key

    mine, h = voice(ctx), seconds("--window", window)
    signing = read_key(key) if key else None
    where = where_of(target, placement, mine, {})
    with ExitStack() as lines:

        def elsewhere() -> Mapping[str, Model]:
            return lines.enter_context(partners(where, mine))

        found = drafted(target, name, elsewhere)
        draft = found.draft if declared else tried(found, h)
    draft = replace(
        draft,
        meaning=meaning,
        licence=licence,
        project=project,
        access=access,
        policy=_policy(policy),
    )
    with Library(url, who, create=True) as library:
        entry, new = library.add(draft, signing)
        shelf = library.place
    mine.answer(
        {"new": new, "library": shelf, **plain_entry(entry)},
        lambda: _say(mine, entry, new, shelf),
    )


def _policy(path: Path | None) -> bytes:
    if path is None:
        return b""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            str(path), f"it cannot be read ({error.strerror}).", "Check its name."
        ) from error


def tried(found: Drafted, h: float) -> Draft:
    """The draft with what the kit found; `LeafInconsistent` if it does not hold."""
    from bondline.testing import check_leaf

    leaf, make = found.single.leaf, found.single.make
    report = check_leaf(leaf, h, make=make)
    report.raise_if_failed()
    told = {
        name: {**can, "verified": _verified(report, name, bool(can["declared"]))}
        for name, can in found.draft.capabilities.items()
    }
    kit = f"bondline {__version__}, windows of {h:g} s"
    return replace(found.draft, capabilities=told, kit=kit)


def _verified(report: Report, name: str, declared: bool) -> bool:
    """Whether the kit tried a capability, and it held."""
    checks = _TRIED.get(name, ())
    verdicts = [f.verdict for f in report.findings if f.check in checks]
    return declared and bool(verdicts) and set(verdicts) <= {"passed", "hint"}


def _say(mine: Voice, entry: Entry, new: bool, where: str) -> None:
    p: Any = entry.passport
    mine.print(
        f"{bold(str(entry.reference))}  {p.kind}  {'added' if new else 'as before'}"
    )
    can = [n for n, told in p.capabilities.items() if told.get("verified")]
    if can:
        mine.say(dim(f"  verified  {', '.join(can)}"))
    mine.say(dim(f"  digest    {p.digest}"))
    mine.say(dim(f"  library   {where}"))
    mine.say(f'  use it    source="library:{entry.reference}"')
