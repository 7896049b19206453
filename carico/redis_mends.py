"""What helps where a Redis or Valkey server refuses, in words for the operator; for whatever client says so."""

from typing import Final

_OF_KINDS: Final = {
    "AuthenticationError": "it wants another user or password: put them into the address",
    "AuthorizationError": "it wants another user or password: put them into the address",
    "NoPermissionError": "this user may not do that: give it the commands and the keys carico:*",
    "BusyLoadingError": "it is still reading its data: try again in a moment",
    "MaxClientsError": "it has too many clients: raise its maxclients",
    "TimeoutError": "it does not answer: see whether it is overloaded or stopped",
    "ConnectionError": "see whether it is running and whether the address is right",
    "OutOfMemoryError": "it is out of memory: raise its maxmemory",
    "ReadOnlyError": "it is a read-only replica: give the address of its primary",
    "MasterDownError": "it is a replica without its primary: give the address of the primary",
    "ClusterDownError": "its cluster is down: mend the cluster",
    "OSError": "see whether it is running and whether the address is right",
}
"""By the name of a class of redis-py; that of the error itself comes before those it is derived from."""

_OF_TEXTS: Final = {
    "MISCONF": "it cannot write to its disk: make room there",
    "NOREPLICAS": "too few of its replicas follow: bring them back",
    "BUSY ": "another script holds it up: end that script",
    "ACL failure": _OF_KINDS["NoPermissionError"],
    "user executing the script": _OF_KINDS["NoPermissionError"],
}
"""By what stands in the text of an error that has no class of its own."""


def mend_of(error: Exception) -> str | None:
    """What helps; None where the error is none of those that an operator can mend."""
    for kind in type(error).__mro__:
        if kind.__name__ in _OF_KINDS:
            return _OF_KINDS[kind.__name__]
    return next((mend for text, mend in _OF_TEXTS.items() if text in str(error)), None)
