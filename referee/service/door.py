"""Who may come in: bearer tokens, looked up by their hash."""

import hmac
from typing import Any

import grpc

from carico.serving import bearer_token
from referee.service.errors import Reason, Refused, refusal
from referee.store.accounts import Account, AccountError, Accounts, hashed
from referee.store.log import LogUnavailable

Context = grpc.aio.ServicerContext[Any, Any]


class Door:
    """Knows the organiser's token, by its hash, and the bots' tokens through the accounts."""

    def __init__(self, accounts: Accounts, organiser_hash: bytes) -> None:
        self.accounts = accounts
        self._organiser_hash = organiser_hash

    async def bot(self, context: Context) -> Account:
        """Whose stream this is. Raises Refused."""
        token = _token(context)
        if self._is_organiser(token):
            raise Refused(Reason.NOT_A_BOT)
        try:
            account = await self.accounts.find(token)
        except (AccountError, LogUnavailable) as error:
            raise refusal(error) from error
        if account is None:
            raise Refused(Reason.BAD_TOKEN)
        return account

    def organiser(self, context: Context) -> None:
        """Raises Refused where the caller is not the organiser."""
        if not self._is_organiser(_token(context)):
            raise Refused(Reason.NOT_ORGANISER)

    def _is_organiser(self, token: str) -> bool:
        return hmac.compare_digest(hashed(token), self._organiser_hash)


def _token(context: Context) -> str:
    token = bearer_token(context)
    if token is None:
        raise Refused(Reason.NO_TOKEN)
    return token
