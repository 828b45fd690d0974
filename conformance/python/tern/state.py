"""The state of a log: records are applied one by one, and a view can follow any of them."""

from __future__ import annotations

from .canonical import canonical_text, digest_of_text
from .document import UNVERIFIED, Record
from .facts import Facts
from .ledger import Ledger
from .messages import Limits, Message, Outcome, Refused, read_message
from .view import build_view


class State:
    """Everything known in one identity context.

    Without a `context` record this is the context of bare messages, in which senders are
    believed (S8.11).
    """

    def __init__(self, limits: Limits = Limits()) -> None:
        self.limits = limits
        self.context = UNVERIFIED
        self.bindings: dict[str, str] | None = None
        self.ledger = Ledger(limits)
        self.facts = Facts()

    def apply(self, record: Record) -> Outcome | None:
        """Apply one record of a document; a delivery has an outcome (S2.01)."""
        if record.kind == "deliver":
            return self.deliver(record.data, record.principal)
        if record.kind == "context":
            self.context = record.value["id"]
            self.bindings = dict(record.value["participants"])
        else:
            self.facts.add(record.kind, record.value)
        return None

    def deliver(self, data: bytes, principal: str | None = None) -> Outcome:
        """Take one delivery through the stages, up to the first that refuses it (S2.02)."""
        try:
            message = read_message(data, self.limits)
            self._check_identity(message, principal)
        except Refused as refused:
            return refused.outcome
        return self.ledger.receive(message)

    def view(self) -> str:
        """The canonical view as canonical JSON (section 13)."""
        return canonical_text(build_view(self.context, self.bindings, self.ledger, self.facts))

    def digest(self) -> str:
        """The digest of the canonical view (S7.05)."""
        return digest_of_text(self.view())

    def _check_identity(self, message: Message, principal: str | None) -> None:
        """Stage 4 (S2.12)."""
        if message.id.partition(":")[0] != message.sender:
            raise Refused("identity", "id_not_of_sender")
        if self.bindings is None:  # S8.11: only the prefix is tested
            return
        bound = self.bindings.get(message.sender)
        if bound is None:
            raise Refused("identity", "sender_unbound")
        if principal is None:
            raise Refused("identity", "principal_missing")
        if principal != bound:
            raise Refused("identity", "principal_mismatch")
