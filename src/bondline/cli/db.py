"""`bondline db`: the model library."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from bondline.cli import db_add, db_transfer
from bondline.cli.db_options import As, Name, Signer, Url, signers
from bondline.cli.db_say import (
    changed_lines,
    found_table,
    plain_entry,
    show_passport,
    verdict_lines,
)
from bondline.cli.files import short, writing
from bondline.cli.options import Json
from bondline.cli.tables import table
from bondline.cli.voice import voice
from bondline.errors import document

app = typer.Typer(
    help="The model library: versioned models with passports.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def db() -> None:
    """The model library: versioned models with passports.

    It is a folder (SQLite and files) or a PostgreSQL database: --url, or
    BONDLINE_LIBRARY, or library/ in the project.
    """


app.command("add")(db_add.add)


@app.command("search")
def search(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="All must match.")
    ] = None,
    kind: Annotated[
        str, typer.Option(help="leaf, integrated, reduced or remote.")
    ] = "",
    owner: Annotated[str, typer.Option(help="Only theirs.")] = "",
    project: Annotated[str, typer.Option("--in", help="Only of this project.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="At most.")] = 50,
    url: Url = None,
    who: As = None,
    json: Json = False,
) -> None:
    """Find models by words in name, meaning, ports, parameters, owner, licence."""
    from bondline.library import Library, Query

    mine = voice(ctx)
    query = Query(" ".join(words or ()), kind, owner, project, limit)
    with Library(url, who) as library:
        hits, where = library.search(query), library.place
    mine.answer(
        {"library": where, "models": [asdict(hit) for hit in hits]},
        lambda: found_table(mine, hits, where),
    )


@app.command("show")
def show(
    ctx: typer.Context,
    name: Name,
    url: Url = None,
    who: As = None,
    signer: Signer = None,
    json: Json = False,
) -> None:
    """The passport of a version: ports, capabilities, parameters, owner, digest."""
    from bondline.library import Library

    mine = voice(ctx)
    with Library(url, who, signers=signers(signer)) as library:
        entry = library.get(name)
        library.files(entry)
    mine.answer(plain_entry(entry), lambda: show_passport(mine, entry))


app.command("pull")(db_transfer.pull)
app.command("push")(db_transfer.push)


@app.command("log")
def log(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Of one model; else of all.")
    ] = "",
    last: Annotated[int, typer.Option(min=1, help="Only so many.")] = 50,
    url: Url = None,
    who: As = None,
    json: Json = False,
) -> None:
    """Who added which version, and when; the newest last."""
    from bondline.library import Library

    mine = voice(ctx)
    with Library(url, who) as library:
        if name:
            library.get(name)
        events = library.events(name, last)
    rows = [
        (e.at[:19], e.who, e.what, f"{e.name}@{e.version}" if e.version else e.name)
        for e in events
    ]
    mine.answer(
        {"events": [asdict(e) for e in events]},
        lambda: table(mine, ("at (UTC)", "who", "did", "model"), rows),
    )


@app.command("diff")
def diff(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="rail@2.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="rail@3.")],
    url: Url = None,
    who: As = None,
    json: Json = False,
) -> None:
    """What changed between two versions: lines of their passports, and files.

    The exit code is 1 if anything did.
    """
    from bondline.library import Library

    mine = voice(ctx)
    with Library(url, who) as library:
        found = library.diff(old, new)
    mine.answer(
        {"same": found.same, **asdict(found)},
        lambda: mine.print(changed_lines(found)),
    )
    if not found.same:
        raise typer.Exit(1)


@app.command("verify")
def verify(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="Of one model; else of all.")
    ] = "",
    url: Url = None,
    who: As = None,
    signer: Signer = None,
    json: Json = False,
) -> None:
    """Check every passport, signature, file and the log, and name what is wrong.

    The exit code is 41 if something is.
    """
    from bondline.library import Library

    mine = voice(ctx)
    with Library(url, who, signers=signers(signer)) as library:
        if name and not library.latest(name):
            library.get(name)  # which tells the nearest
        verdict = library.verify(name)
    problems = [document(error)["error"] for error in verdict.problems]
    told = {**asdict(replace(verdict, problems=())), "ok": not problems}
    told["problems"] = problems
    mine.answer(told, lambda: verdict_lines(mine, verdict))
    if verdict.problems:
        raise typer.Exit(41)


@app.command("members")
def members(
    ctx: typer.Context,
    project: Annotated[str, typer.Argument(metavar="PROJECT", help="Its name.")],
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="WHO", help="Let them in.")
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", metavar="WHO", help="Out again.")
    ] = None,
    url: Url = None,
    who: As = None,
    json: Json = False,
) -> None:
    """Who belongs to a project: they see its models and may add versions."""
    from bondline.library import Library

    mine = voice(ctx)
    with Library(url, who, create=bool(add)) as library:
        for one in add or ():
            library.join(project, one)
        for one in remove or ():
            library.leave(project, one)
        found = library.members(project)
    mine.answer(
        {"project": project, "members": found},
        lambda: mine.print("\n".join(found) or f"{project} has no members"),
    )


@app.command("key")
def key(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to keep it.")],
    json: Json = False,
) -> None:
    """Make a key to sign versions with, and FILE.pub for those who check them."""
    from bondline.library import make_key

    mine = voice(ctx)
    with writing(file):
        secret, public = make_key(file)
    mine.answer(
        {"key": str(secret), "public": str(public)},
        lambda: mine.print(
            f"{short(secret)}   keep it private (mode 600)\n"
            f"{short(public)}   give it to whoever checks your models"
        ),
    )
