"""The owner's gate: what is admitted, and what is written down, behind one `admit`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bondline.remote.log.audit import AuditLog
from bondline.remote.owner.gate import Call, Denied, Told
from bondline.remote.privacy.admission import Admission
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.policy import Policy
from bondline.remote.privacy.records import Records

NOBODY = "UNAUTHENTICATED"  # a name of gRPC


class PolicyGate:
    """A `Gate` that asks a policy, and writes down what happens.

    CPU time is that of the thread between `admit` and `served_all`; both must be called
    in it, also if nothing came of it: the thread's next call may be somebody else's.
    """

    def __init__(
        self,
        policy: Policy,
        budgets: Budgets | None = None,
        audit: AuditLog | None = None,
    ) -> None:
        self.policy, self.budgets, self.audit = policy, budgets, audit
        self._records = Records(audit)
        self._admission = Admission(budgets, self._records.alarm)

    @classmethod
    def of(cls, policy: Policy) -> PolicyGate:
        """With the files that the policy names."""
        return cls(
            policy,
            Budgets(policy.budgets) if policy.budgets else None,
            AuditLog(policy.audit, "owner") if policy.audit else None,
        )

    def admit(self, call: Call) -> Denied | None:
        """None: go on. A refusal is written down; nothing was computed or counted."""
        return self.admit_all((call,))

    def admit_all(self, calls: Sequence[Call]) -> Denied | None:
        """The same of all calls of one request: what is refused is not counted.

        But the monitor remembers what it stopped, and all that came before it.
        """
        refused = self._admission.refused(self.policy, calls)
        if refused is not None:
            self._records.denied(*refused)
            return refused[1]
        return None

    @property
    def keeps(self) -> bool:
        """Whether the policy says so."""
        return self.policy.keep == "numbers"

    def served(self, call: Call, numbers: int) -> None:
        """The call was answered: count it, and write it down."""
        self.served_all(((call, numbers, {}),))

    def served_all(self, told: Sequence[Told]) -> None:
        """The same of all calls of one request, in one write."""
        self._admission.settle()
        if told:
            self._records.answered(told, self.keeps)

    def forget(self, identity: str, model: str, session: str) -> None:
        """What a session did is counted for itself; it is over."""
        self._admission.forget(identity, model, session)

    def shown(self, call: Call, names: Iterable[str]) -> frozenset[str]:
        """The observables that the owner chose for this model."""
        every, seen = frozenset(names), self.policy.terms(call.model).seen
        return every if seen is True else every & (seen or frozenset())

    def visible(self, call: Call, ports: Iterable[str]) -> frozenset[str]:
        """Those of the ports that the grant names; without a grant none."""
        grant = self.policy.grant(call.identity, call.model)
        return grant.seen(ports) if grant is not None else frozenset()

    def knows(self, identity: str) -> bool:
        """Whether any grant names this partner."""
        return any(g.who == identity for g in self.policy.grants)

    def head(self) -> tuple[int, str]:
        """The head of the owner's log; (-1, "") without one."""
        if self.audit is None:
            return -1, ""
        head = self.audit.head()
        self.audit.seal()  # after it: what is told is on the disk, whoever else writes
        return head

    def heard(self, call: Call, number: int, head: str) -> None:
        """Keep the other side's head."""
        if self.audit is not None:
            self.audit.heard(call.identity, number, head)

    def turned_away(self, identity: str, reason: str) -> None:
        """The transport refused a partner: write it down, or count it in a flood."""
        call = Call(identity, "", "connect")
        self.refused(call, Denied(NOBODY, reason, "certificate"))

    def refused(self, call: Call, denied: Denied) -> None:
        """The server refused a request: write it down, or count it in a flood."""
        self._records.turned_away(call, denied)

    def close(self) -> None:
        """Give budgets back, seal the log."""
        self._admission.settle()
        self._records.write_rest()
        if self.budgets is not None:
            self.budgets.close()
        if self.audit is not None:
            self.audit.close()
