"""The model library: versioned models with passports, for one person or a team."""

from bondline.library.diff import Change, Diff
from bondline.library.draft import Draft
from bondline.library.library import Library, whoami
from bondline.library.log import Event
from bondline.library.names import Reference, reference
from bondline.library.passport import KINDS, Passport
from bondline.library.records import Entry
from bondline.library.search import Hit, Query
from bondline.library.signing import Signature, make_key, read_key, read_signers
from bondline.library.transfer import transfer
from bondline.library.verify import Verdict

__all__ = [
    "KINDS",
    "Change",
    "Diff",
    "Draft",
    "Entry",
    "Event",
    "Hit",
    "Library",
    "Passport",
    "Query",
    "Reference",
    "Signature",
    "Verdict",
    "make_key",
    "read_key",
    "read_signers",
    "reference",
    "transfer",
    "whoami",
]
