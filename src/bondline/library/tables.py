"""The tables, the same on SQLite and on PostgreSQL.

Texts compare byte by byte on both, so that both give the same order.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()
text = Text().with_variant(Text(collation="C"), "postgresql")

models = Table(  # one row a name: what its latest version says, to search in
    "models",
    metadata,
    Column("name", text, primary_key=True),
    Column("latest", Integer, nullable=False),
    Column("kind", text, nullable=False),
    Column("owner", text, nullable=False),
    Column("project", text, nullable=False),
    Column("access", text, nullable=False),
    Column("meaning", text, nullable=False),
    Column("created", text, nullable=False),
    Column("words", text, nullable=False),
    Index("models_by_owner", "owner"),
    Index("models_by_project", "project"),
)
versions = Table(  # one row a version; none is ever changed
    "versions",
    metadata,
    Column("name", text, ForeignKey("models.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("digest", text, nullable=False),
    Column("passport", text, nullable=False),
    Column("seal", text, nullable=False),
    Column("signer", text, nullable=False),
    Column("signature", text, nullable=False),
    Index("versions_by_digest", "digest"),
)
members = Table(
    "members",
    metadata,
    Column("project", text, primary_key=True),
    Column("who", text, primary_key=True),
)
log = Table(  # a chain: each row has the hash of all before it
    "log",
    metadata,
    Column("k", Integer, primary_key=True, autoincrement=False),
    Column("at", text, nullable=False),
    Column("who", text, nullable=False),
    Column("what", text, nullable=False),
    Column("name", text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seal", text, nullable=False),
    Column("hash", text, nullable=False),
    Index("log_by_name", "name"),
)
blobs = Table(  # files by content, where there is no folder to keep them in
    "blobs",
    metadata,
    Column("sha256", text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
