"""`bondline pack`: a model as one .ssp, with other values if you like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.files import human_size, short, writing
from bondline.cli.given import pairs
from bondline.cli.options import Json, Variant
from bondline.cli.variant import chosen
from bondline.cli.voice import voice
from bondline.errors import UsageError


def pack(
    ctx: typer.Context,
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The .ssp to write.")
    ] = Path("model.ssp"),
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="LEAF.PARAM=VALUE", help="Values that go into the package."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Values go into a new variant."),
    ] = None,
    variant: Variant = None,
    json: Json = False,
) -> None:
    """Write a model as one .ssp package.

    What Bondline does not know goes in as it is: annotations, files, other variants.
    Values become a parameter set (.ssv) and a mapping (.ssm), which come last.
    """
    from bondline.build import catalogue, require
    from bondline.description import Change, variants, write_package

    mine, values = voice(ctx), pairs(sets or [])
    if name is not None and not values:
        raise UsageError("--as", "the variant has no values.", "Give --set, too.")
    if output.suffix.lower() != ".ssp":
        raise UsageError(
            f"-o {output}", "a package is an .ssp.", f"Call it {output.stem}.ssp."
        )
    require(model)
    change = Change(values, name) if values else None
    with writing(output):
        write_package(chosen(model, variant), output, catalogue(), change)
    found = variants(output)
    size = human_size(output.stat().st_size)
    more = f" with the variants {', '.join(found)}" if len(found) > 1 else ""
    mine.answer(
        {"file": str(output.resolve()), "variants": found},
        lambda: mine.say(f"wrote {short(output)} ({size}){more}"),
    )
