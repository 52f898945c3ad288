"""Where the parts of a model are: the operator's file, never the model's.

[client]  # the own certificate, for all partners
cert = "oem.pem"
key = "oem.key"
ca = "ca.pem"

[parts.axle]
address = "axles.example:7443"
model = "axle"  # its name there; not needed if there is only one

[parts.rear.frame]  # inside of the part `rear`
process = true  # here, as a process of its own
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

from bondline.errors import SettingError, UsageError, did_you_mean
from bondline.remote.client.asking import Asking
from bondline.remote.client.dial import Dial
from bondline.remote.client.line import Line
from bondline.remote.client.link import Patience
from bondline.remote.client.local import Pipe
from bondline.remote.client.plain import Plain
from bondline.remote.client.remote import remote_model
from bondline.remote.client.side_by_side import side_by_side
from bondline.remote.toml_lines import lined
from bondline.remote.trust.address import misaddressed
from bondline.remote.trust.tls import Credentials, loopback

_SECRETS = ("cert", "key", "ca")
_TIMES = ("step", "connect", "grace", "work")
_OTHERS = ("address", "model", "server_name", "insecure", "process")
_KEYS = (*_OTHERS, *_SECRETS, *_TIMES)

Command = Callable[[str], Sequence[str]]  # that serves a part over pipes


class NobodyWaits(Exception):
    """Ends a thread whose partner nobody waits for any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one part is, and how to get there."""

    address: str  # "": a process here
    model: str = ""
    server_name: str = ""
    secrets: Credentials | None = None
    patience: Patience = Patience()  # noqa: RUF009 - a frozen value
    written: tuple[str, int] = field(default=("", 0), compare=False)  # file and line

    def line(self, part: str, command: Command | None) -> Line:
        """The way there; `command` makes processes that are here."""
        if self.address and self.secrets is None:
            return Plain(self.address)
        if self.address:
            return self._dial(part)
        if command is None:
            raise UsageError(
                f"part {part}",
                "it is placed in a process, which only a run can start.",
                "Give its address instead.",
            )
        return Pipe(command(part))

    def _dial(self, part: str) -> Dial:
        """What is wrong with its certificate is told where that is written."""
        try:
            return Dial(self.address, self.secrets, self.server_name)
        except SettingError as error:
            file, line = self.written
            if not file:
                raise
            raise SettingError(
                f"{file}:{line}, part {part}",
                f"{error.place}: {error.finding}",
                f"{error.remedy} Paths of cert, key and ca, here or under [client], "
                "are from the folder of the placement file.",
            ) from error


def read_placement(path: Path) -> dict[str, Place]:
    """The places in a file, by part."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = tomllib.loads(text)
    except OSError as error:
        raise UsageError(
            str(path), f"it cannot be read ({error.strerror}).", "Give a TOML file."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            str(path), f"it is not TOML ({error}).", "See the page on remote parts."
        ) from error
    _only(str(path), tree, ("client", "parts"))
    client = _table(str(path), tree, "client")
    _only(f"{path}: client", client, (*_SECRETS, *_TIMES))
    if not tree.get("parts"):
        raise UsageError(
            str(path),
            "it places no part.",
            'Write [parts.NAME] and address = "host:port" below it, or run without '
            "--placement.",
        )
    places, known = {}, lined(str(path), tree, text)
    for keys, given in _parts(str(path), _table(str(path), tree, "parts"), ()):
        name = ".".join(keys)
        place = _place(f"{path}: parts.{name}", path.parent, {**client, **given})
        written = known.name, known.line(("parts", *keys))
        places[name] = replace(place, written=written)
    return places


def connected(
    places: Mapping[str, Place],
    takeover: bool = False,
    command: Command | None = None,
) -> dict[str, Asking]:
    """All of them, described; they get ready, and are waited for, side by side."""
    lines: dict[str, Line] = {}
    over = Event()

    def asking(part: str, place: Place) -> Callable[[], Asking]:
        return lambda: remote_model(
            part, lines[part], place.model, place.patience, takeover, _until(over)
        )

    try:
        for part, place in places.items():
            lines[part] = place.line(part, command)
        return side_by_side({part: asking(part, p) for part, p in places.items()})
    except BaseException:
        over.set()
        for line in lines.values():
            line.close()
        raise


def _until(over: Event) -> Callable[[float], None]:
    """A pause between two attempts, which nobody needs any more once it is over."""

    def pause(seconds: float) -> None:
        if over.wait(seconds):
            raise NobodyWaits

    return pause


def _parts(
    where: str, tree: Mapping[str, Any], path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Tables that have an address; `[parts.rear.axle]` is `rear.axle` as well."""
    found: list[tuple[tuple[str, ...], dict[str, Any]]] = []
    for name, given in tree.items():
        keys = (*path, name)
        full = ".".join(keys)
        if not isinstance(given, dict):
            raise UsageError(
                f"{where}: parts.{full}",
                "it is no table.",
                f'Write [parts.{full}] and address = "host:port" below it.',
            )
        if any(isinstance(v, dict) for v in given.values()):
            found += _parts(where, given, keys)
        else:
            found.append((keys, given))
    return found


def _place(where: str, folder: Path, given: Mapping[str, Any]) -> Place:
    _only(where, given, _KEYS)
    times = {k: _seconds(where, k, given[k]) for k in _TIMES if k in given}
    if given.get("process"):
        if "address" in given:
            raise UsageError(
                where,
                f"it has an address, {given['address']!r}, and process = true.",
                "Keep one: the address of a partner, or a process here.",
            )
        return Place("", patience=Patience(**times))
    address = str(given.get("address", ""))
    if wrong := misaddressed(address):
        raise UsageError(
            where,
            wrong,
            'Write address = "host:port", for example "axles.example:7443".',
        )
    return Place(
        address,
        str(given.get("model", "")),
        str(given.get("server_name", "")),
        _secrets(where, folder, given),
        Patience(**times),
    )


def _secrets(where: str, folder: Path, given: Mapping[str, Any]) -> Credentials | None:
    if given.get("insecure"):
        if not loopback(str(given["address"])):
            raise UsageError(
                where,
                f"{given['address']} is another machine, and insecure = true.",
                "Take it away, and give cert, key and ca.",
            )
        return None
    missing = [k for k in _SECRETS if k not in given]
    if missing:
        raise UsageError(
            where,
            f"{', '.join(missing)} is not given.",
            "Give cert, key and ca, here or under [client]. On this machine only, "
            "insecure = true goes without.",
        )
    cert, key, ca = (folder / str(given[k]) for k in _SECRETS)
    return Credentials(cert, key, ca)


def _seconds(where: str, key: str, value: Any) -> float:
    if isinstance(value, int | float) and value > 0:
        return float(value)
    raise UsageError(where, f"{key} = {value!r} is no time.", "Give seconds.")


def _table(where: str, tree: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = tree.get(key, {})
    if not isinstance(found, dict):
        raise UsageError(where, f"{key} is no table.", f"Write [{key}].")
    return found


def _only(where: str, tree: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in tree:
        if key not in known:
            raise UsageError(
                where, f"nothing is named {key!r}.", did_you_mean(key, known)
            )
