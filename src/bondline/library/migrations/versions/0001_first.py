"""The first schema: models, versions, members, log, blobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables; written out, so that later changes of ours do not reach it."""
    text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "models",
        sa.Column("name", text, primary_key=True),
        sa.Column("latest", sa.Integer, nullable=False),
        *(
            sa.Column(name, text, nullable=False)
            for name in ("kind", "owner", "project", "access", "meaning", "created")
        ),
        sa.Column("words", text, nullable=False),
    )
    op.create_index("models_by_owner", "models", ["owner"])
    op.create_index("models_by_project", "models", ["project"])
    op.create_table(
        "versions",
        sa.Column("name", text, sa.ForeignKey("models.name"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        *(
            sa.Column(name, text, nullable=False)
            for name in ("digest", "passport", "seal", "signer", "signature")
        ),
    )
    op.create_index("versions_by_digest", "versions", ["digest"])
    op.create_table(
        "members",
        sa.Column("project", text, primary_key=True),
        sa.Column("who", text, primary_key=True),
    )
    op.create_table(
        "log",
        sa.Column("k", sa.Integer, primary_key=True, autoincrement=False),
        *(
            sa.Column(name, text, nullable=False)
            for name in ("at", "who", "what", "name")
        ),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("seal", text, nullable=False),
        sa.Column("hash", text, nullable=False),
    )
    op.create_index("log_by_name", "log", ["name"])
    op.create_table(
        "blobs",
        sa.Column("sha256", text, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Take all tables away, and what is in them."""
    for name in ("blobs", "log", "members", "versions", "models"):
        op.drop_table(name)
