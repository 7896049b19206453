"""The store, for a person at the command line: what it refuses becomes a sentence and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clients.cli.extras import league_extra
from clients.cli.failure import BadUsage, Failure, Unreachable

if TYPE_CHECKING:
    from worker.store.port import Store


def checked_store(url: str) -> str:
    """The URL, if a store answers there that can hold a league. Raises BadUsage, Unreachable or Failure."""
    with opened(url):
        return url


@contextmanager
def opened(url: str) -> "Iterator[Store]":
    """The store at this address. Raises BadUsage, Unreachable or Failure, also for what is done within."""
    with league_extra():
        from worker.office.port import BadRequest
        from worker.store.errors import StoreError, StoreUnavailable
        from worker.store.open import open_store

    try:
        store = open_store(url)
    except ValueError as error:
        raise BadUsage(f"--redis: {error}") from error
    except StoreUnavailable as error:
        raise Unreachable(str(error)) from error
    except StoreError as error:
        raise Failure(str(error)) from error
    try:
        yield store
    except BadRequest as error:
        raise BadUsage(str(error)) from error
    except StoreUnavailable as error:
        raise Unreachable(str(error)) from error
    except StoreError as error:
        raise Failure(str(error)) from error
    finally:
        store.close()
