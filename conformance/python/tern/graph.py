"""What follows from the gating references alone: cycles, taint and causality."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from .ledger import ACCEPTED, PENDING, Ledger


def pending_cycles(ledger: Ledger) -> list[list[str]]:
    """The cycles among the pending messages (S3.04): Tarjan's algorithm without recursion."""
    edges = {
        name: [ref for ref in set(ledger.gating(entry.message)) if _is_pending(ledger, ref)]
        for name, entry in ledger.entries.items()
        if entry.status == PENDING
    }
    return [
        component
        for component in _components(edges)
        if len(component) > 1 or component[0] in edges[component[0]]
    ]


def _is_pending(ledger: Ledger, ref: str) -> bool:
    entry = ledger.entries.get(ref)
    return entry is not None and entry.status == PENDING


def _components(edges: dict[str, list[str]]) -> list[list[str]]:
    """The strongly connected components of a graph."""
    found: list[list[str]] = []
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: list[str] = []
    is_open: set[str] = set()
    for root in edges:
        if root in index:
            continue
        path = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        while path:
            node, rest = path[-1]
            for following in rest:
                if following not in index:
                    index[following] = low[following] = len(index)
                    open_nodes.append(following)
                    is_open.add(following)
                    path.append((following, iter(edges[following])))
                    break
                if following in is_open:
                    low[node] = min(low[node], index[following])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    cut = len(open_nodes) - 1
                    while open_nodes[cut] != node:
                        cut -= 1
                    found.append(open_nodes[cut:])
                    is_open.difference_update(open_nodes[cut:])
                    del open_nodes[cut:]
    return found


def tainted_ids(ledger: Ledger, equivocal: Iterable[str]) -> set[str]:
    """The equivocal ids, and all ids of which some version leads to a tainted one (R-15)."""
    referring: defaultdict[str, set[str]] = defaultdict(set)
    for name, entry in ledger.entries.items():
        for version in entry.versions:
            for ref in ledger.gating(version):
                referring[ref].add(name)
    tainted = set(equivocal)
    todo = list(tainted)
    while todo:
        fresh = referring[todo.pop()] - tainted
        tainted |= fresh
        todo.extend(fresh)
    return tainted


class Causality:
    """The relation ≺ among accepted messages (S5.01, R-13).

    Only REPORTs and REVISEs are ever looked for in the past of another message. Each of
    them has a bit, and the past of a message is the set of their bits as an integer.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._bit: dict[str, int] = {}
        self._past: dict[str, int] = {}
        for name in ledger.settled:  # references stand before those who refer
            entry = ledger.entries[name]
            if entry.status != ACCEPTED:
                continue
            past = 0
            for ref in ledger.gating(entry.message):
                past |= self._past[ref] | self._bit.get(ref, 0)
            self._past[name] = past
            if entry.message.act in ("REPORT", "REVISE"):
                self._bit[name] = 1 << len(self._bit)

    def after_all(self, candidates: Iterable[str], earlier: Iterable[str]) -> list[str]:
        """The candidates that each of these REPORTs and REVISEs precedes."""
        wanted = self._bits(earlier)
        return [name for name in candidates if self._past[name] & wanted == wanted]

    def after_any(self, candidates: Iterable[str], earlier: Iterable[str]) -> list[str]:
        """The candidates that some of these REPORTs and REVISEs precedes."""
        wanted = self._bits(earlier)
        return [name for name in candidates if self._past[name] & wanted]

    def not_before(self, later: str, candidates: Iterable[str]) -> list[str]:
        """Those of the candidates, REPORTs and REVISEs, that are not ≺ the later message."""
        past = self._past[later]
        return [name for name in candidates if not past & self._bit[name]]

    def last_of(self, names: Iterable[str]) -> list[str]:
        """Those REPORTs that are ≺ no other of them."""
        names = list(names)
        covered = 0
        for name in names:
            covered |= self._past[name]
        return [name for name in names if not self._bit[name] & covered]

    def _bits(self, names: Iterable[str]) -> int:
        bits = 0
        for name in names:
            bits |= self._bit[name]
        return bits
