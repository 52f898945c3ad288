"""`bondline cert`: a project's authority, and certificates for its partners."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.files import short, writing
from bondline.cli.options import Json
from bondline.cli.voice import Voice, green, red, voice, yellow

if TYPE_CHECKING:
    from bondline.remote.trust.authority import Pair
    from bondline.remote.trust.certificates import Facts

app = typer.Typer(
    help="Certificates of a project's partners.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[
    Path, typer.Option("--folder", metavar="FOLDER", help="Where the files are kept.")
]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--host", metavar="NAME|IP", help="Where it is reached; repeatable."),
]
_HOME = Path("certs")


@app.callback()
def cert() -> None:
    """Certificates of a project's partners."""


@app.command("ca")
def ca(
    ctx: typer.Context,
    project: Annotated[str, typer.Argument(metavar="PROJECT", help="Its name: truck.")],
    days: Annotated[int, typer.Option(min=1, help="How long it is valid.")] = 1095,
    folder: Folder = _HOME,
    json: Json = False,
) -> None:
    """Make the authority of a project: ca.pem for all partners, ca.key for nobody."""
    from bondline.remote.trust.authority import make_ca

    with writing(folder):
        made = make_ca(folder, project, days)
    _made(voice(ctx), made, f"give {short(made.certificate)} to every partner")


@app.command("issue")
def issue(
    ctx: typer.Context,
    partner: Annotated[
        str, typer.Argument(metavar="PARTNER|CSR", help="Its name, or its request.")
    ],
    host: Hosts = None,
    days: Annotated[int, typer.Option(min=1, help="How long it is valid.")] = 90,
    folder: Folder = _HOME,
    json: Json = False,
) -> None:
    """Give a partner a certificate, signed by the authority in the folder.

    For a request (rail.csr) a certificate alone: the partner has the key. For a name
    also a key. Without --host it is good for this machine: localhost, 127.0.0.1, ::1.
    """
    from bondline.remote.trust.authority import Pair, Wanted, grant
    from bondline.remote.trust.authority import issue as give

    mine = voice(ctx)
    if partner.endswith(".csr"):
        with writing(folder):
            made = Pair(grant(folder, Path(partner), days), Path())
        _made(mine, made, "send it to the partner, with ca.pem; neither is a secret")
        return
    hosts = tuple(host) if host else Wanted("").hosts
    with writing(folder):
        made = give(folder, Wanted(partner, hosts, days))
    _made(mine, made, f"they are yours; or send both to {partner}, over a safe way")


@app.command("request")
def request(
    ctx: typer.Context,
    partner: Annotated[str, typer.Argument(metavar="PARTNER", help="Your name.")],
    host: Hosts = None,
    folder: Folder = _HOME,
    json: Json = False,
) -> None:
    """Make your own key, and a request to send to the project: the key stays here."""
    from bondline.remote.trust.authority import Wanted, pair
    from bondline.remote.trust.authority import request as ask

    mine = voice(ctx)
    hosts = tuple(host) if host else Wanted("").hosts
    with writing(folder):
        path = ask(folder, Wanted(partner, hosts))
    key = pair(folder, partner).key
    mine.answer(
        {"request": str(path), "key": str(key)},
        lambda: mine.print(
            f"{short(path)}   send it to the project: bondline cert issue {path.name}\n"
            f"{short(key)}   keep it private (mode 600)"
        ),
    )


@app.command("renew")
def renew(
    ctx: typer.Context,
    certificate: Annotated[
        Path, typer.Argument(metavar="CERT", help="certs/rail.pem, beside its ca.pem.")
    ],
    days: Annotated[int, typer.Option(min=1, help="From now on.")] = 90,
    new_key: Annotated[
        bool,
        typer.Option("--new-key", help="A new key, too: the old one may be known."),
    ] = False,
    json: Json = False,
) -> None:
    """Give a certificate later dates; partner, hosts and identity stay.

    Servers that run take it up without losing a session.
    """
    from bondline.remote.trust.authority import Pair
    from bondline.remote.trust.authority import renew as prolong

    with writing(certificate):
        made = prolong(certificate, days, new_key)
    then = "servers that run take it up by themselves"
    if not made.key.exists():  # it is the partner's, who has it
        made, then = Pair(made.certificate, Path()), f"send it to the partner: {then}"
    _made(voice(ctx), made, then)


@app.command("show")
def show(
    ctx: typer.Context,
    certificate: Annotated[Path, typer.Argument(metavar="CERT", help="A PEM file.")],
    key: Annotated[
        Path | None, typer.Option("--key", help="Its key; else CERT.key, if there.")
    ] = None,
    ca: Annotated[
        Path | None, typer.Option("--ca", help="The authority; else ca.pem beside it.")
    ] = None,
    json: Json = False,
) -> None:
    """Say whose certificate it is, how long it lasts, and what is wrong with it.

    The exit code is 3 if something is. Of a request (rail.csr) who asks for what.
    """
    from bondline.remote.trust.certificates import facts, warning, why_refused

    if certificate.suffix == ".csr":
        _asked(voice(ctx), certificate)
        return
    mine, said = voice(ctx), facts(certificate)
    key = key or _there(certificate.with_suffix(".key"))
    ca = ca or _there(certificate.with_name("ca.pem"))
    wrong, soon = why_refused(certificate, key, ca), warning(certificate)
    document = {
        **_plain(certificate, said),
        "key": str(key) if key else None,
        "ca": str(ca) if ca else None,
        "wrong": wrong,
        "warning": soon,
    }
    mine.answer(document, lambda: _tell(mine, said, (key, ca), wrong, soon))
    if wrong:
        raise typer.Exit(3)


def _asked(mine: Voice, path: Path) -> None:
    from bondline.remote.trust.certificates import fingerprint, load_request
    from bondline.remote.trust.signing import hosts_of

    said = load_request(path)
    hosts = [str(name.value) for name in hosts_of(said)]
    told = {
        "request": str(path),
        "subject": said.subject.rfc4514_string(),
        "hosts": hosts,
        "fingerprint": fingerprint(said),
    }
    mine.answer(
        told,
        lambda: mine.print(
            f"request      {told['subject']}\n"
            f"hosts        {', '.join(hosts) or 'none'}\n"
            f"sha-256      {told['fingerprint']}"
        ),
    )


def _there(path: Path) -> Path | None:
    return path if path.exists() else None


def _made(mine: Voice, made: Pair, then: str) -> None:
    from bondline.remote.trust.certificates import facts

    said = facts(made.certificate)
    key = str(made.key) if made.key.name else None
    document = {**_plain(made.certificate, said), "key": key}
    mine.answer(document, lambda: _say_made(mine, made, said, then))


def _say_made(mine: Voice, made: Pair, said: Facts, then: str) -> None:
    mine.print(f"{short(made.certificate)}   {said.identity}   until {said.end:%F}")
    if made.key.name:
        mine.say(f"{short(made.key)}   keep it private (mode 600)")
    mine.say(f"next: {then}")


def _plain(path: Path, said: Facts) -> dict[str, Any]:
    return {
        "certificate": str(path),
        "subject": said.subject,
        "identity": said.identity,
        "hosts": list(said.hosts),
        "issuer": said.issuer,
        "from": said.start.isoformat(),
        "until": said.end.isoformat(),
        "days_left": said.days_left(datetime.now(UTC)),
        "fingerprint": said.fingerprint,
        "authority": said.authority,
    }


def _tell(
    mine: Voice,
    said: Facts,
    beside: tuple[Path | None, Path | None],
    wrong: str | None,
    soon: str | None,
) -> None:
    key, ca = beside
    mine.print(f"subject      {said.subject}")
    mine.print(f"identity     {said.identity or 'none: policies cannot name it'}")
    mine.print(f"hosts        {', '.join(said.hosts) or 'none'}")
    mine.print(f"valid        {said.start:%F %H:%M} to {said.end:%F %H:%M} UTC")
    mine.print(f"given by     {said.issuer}{_chain(ca, said)}")
    mine.print(f"key          {short(key) if key else 'not here'}")
    mine.print(f"sha-256      {said.fingerprint}")
    if wrong:
        mine.complain(f"{red('wrong')}  {wrong}")
    elif soon:
        mine.print(f"{yellow('soon')}  {soon}")
    else:
        mine.print(f"{green('ok')}  {_checked(key, ca)}")


def _chain(ca: Path | None, said: Facts) -> str:
    if said.authority:
        return ", itself: an authority"
    return f", checked with {short(ca)}" if ca else ", not checked: no ca.pem here"


def _checked(key: Path | None, ca: Path | None) -> str:
    what = ["dates", *(["key"] if key else []), *(["authority"] if ca else [])]
    return f"{', '.join(what)} checked"
