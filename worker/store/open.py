"""The one place that picks a store by its address."""

from worker.store.link import ANSWER_S, TRIES, Link
from worker.store.port import Store
from worker.store.redis import RedisStore


def open_store(url: str, *, tries: int = TRIES, answer_s: float = ANSWER_S) -> Store:
    """The store at a Redis URL (``worker.store.address.FORMS``; what ``EmbeddedValkey.url`` gives too).

    Raises ValueError for an address of another form, StoreUnavailable for a server that cannot be reached, StoreError
    for one that cannot hold a season: older than Redis 7.0, or one that evicts keys. ``tries`` and ``answer_s`` say how
    patient it is with a server that is away (``Link``).
    """
    link = Link(url, tries=tries, answer_s=answer_s)
    link.check()
    return RedisStore(link)
