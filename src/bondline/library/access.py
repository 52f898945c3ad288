"""Who may see and who may change a model: the rule, in one place.

A model has an owner, may belong to a project, and is private, for the members of its
project, or public.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from bondline.errors import NotAllowed
from bondline.library.tables import members, models

ACCESS = ("private", "project", "public")


def visible(who: str) -> ColumnElement[bool]:
    """The rows of `models` that `who` may see; every query has this clause."""
    return or_(
        models.c.owner == who,
        models.c.access == "public",
        and_(models.c.access == "project", _in_project(who)),
    )


def _in_project(who: str) -> ColumnElement[bool]:
    own = select(members.c.project).where(members.c.who == who)
    return models.c.project.in_(own)


def may_write(db: Connection, who: str, row: Mapping[str, Any]) -> bool:
    """The same of a row that is known by its name, or about to be made."""
    if row["owner"] == who:
        return True
    return row["access"] != "private" and is_member(db, row["project"], who)


def is_member(db: Connection, project: str, who: str) -> bool:
    """Whether somebody belongs to a project."""
    wanted = and_(members.c.project == project, members.c.who == who)
    return db.scalar(select(members.c.who).where(wanted)) is not None


def demand_member(db: Connection, project: str, who: str) -> None:
    """Refuse who is no member of a project that has members."""
    anybody = db.scalar(select(members.c.who).where(members.c.project == project))
    if anybody is not None and not is_member(db, project, who):
        raise NotAllowed(
            f"project {project}",
            f"{who} is not one of its members.",
            f"Let a member add you: bondline db members {project} --add {who}",
        )
