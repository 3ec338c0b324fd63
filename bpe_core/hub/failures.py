"""What the hub's library raises, in words: gated, missing, no such revision, unreachable, refused, cache, damaged."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError

from bpe_core.errors import BpeError, HubError, quoted
from bpe_core.hub.library import hub_address, hub_host, hub_library
from bpe_core.hub.names import HubName

_LOGIN = "log in with `hf auth login` or set HF_TOKEN."
_AGAIN = "Try again later, or open its tokenizer file from your disk."
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_LONGEST_REASON = 200


class UnreachableError(HubError):
    """The hub gives no answer, or none that is its own. What its cache holds can still be used.

    >>> UnreachableError("huggingface.co cannot be reached.").problem
    'huggingface.co cannot be reached.'
    """


class DamagedDownloadError(HubError):
    """A file that did not arrive as the hub has it.

    >>> DamagedDownloadError("tokenizer.json is damaged.").problem
    'tokenizer.json is damaged.'
    """


@contextmanager
def said_in_words(wanted: HubName) -> Iterator[None]:
    """Raise what the hub's library raises in the `with` as HubError; other errors of this project pass.

    >>> with said_in_words(HubName("gpt2")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: The cache of the hub's files cannot be written to: No space left on device. ...
    """
    hub_library()
    from httpx2 import HTTPError, InvalidURL
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled

    try:
        yield
    except BpeError:
        raise
    except HfHubHTTPError as error:  # these are OSErrors as well
        raise _answered(error, wanted) from None
    except OfflineModeIsEnabled:
        raise UnreachableError(
            f"{wanted.name} is not in the cache, and the hub's library is set to work offline.",
            limit="With HF_HUB_OFFLINE it opens only what it has fetched before.",
            remedy="Unset HF_HUB_OFFLINE.",
        ) from None
    except InvalidURL as error:
        raise _not_a_hub(str(error)) from None
    except HTTPError as error:
        raise unreachable(_reason(error)) from None
    except HFValidationError as error:
        raise HubError(f"{quoted(wanted.name)} is refused: {_short(error)}", remedy="Check the name.") from None
    except OSError as error:
        raise _on_disk(error, wanted) from None
    except (ValueError, TypeError, KeyError, AttributeError, RuntimeError, AssertionError) as error:
        is_json = not isinstance(error, JSONDecodeError)
        raise _not_a_hub(f"its answer {'has another form' if is_json else 'is not JSON'}") from None


def unreachable(reason: str) -> UnreachableError:
    """The error for a hub that cannot be reached.

    >>> unreachable("no answer").problem.endswith("cannot be reached: no answer.")
    True
    """
    return UnreachableError(
        f"{hub_host()} cannot be reached: {reason.rstrip('.')}.",
        limit="The model is not in the cache either.",
        remedy=f"Check the connection, or the mirror in HF_ENDPOINT. {_AGAIN}",
    )


def _answered(error: OSError, wanted: HubName) -> HubError:
    """The error for an answer that refuses. The library has a class for each reason, and the number for others."""
    from huggingface_hub import errors

    assert isinstance(error, errors.HfHubHTTPError)
    status = error.response.status_code
    name, host = wanted.name, hub_host()
    if isinstance(error, errors.GatedRepoError):  # before RepositoryNotFoundError, which it is too
        return HubError(
            f"{name} is gated: {host} gives its files only to those who have accepted its terms.",
            limit="That takes an account, and its token here.",
            remedy=f"Accept the terms at {hub_address()}/{name}, then {_LOGIN}",
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return HubError(
            f"{name} has no revision {quoted(wanted.revision or 'main')}.",
            limit="A revision is a branch, a tag or a commit of the model.",
            remedy="Look at its page, or leave it out for the main branch.",
        )
    if isinstance(error, errors.DisabledRepoError):
        return HubError(f"{name} is disabled on {host}.", limit="Nobody can fetch it.", remedy="Choose another model.")
    if isinstance(error, errors.RepositoryNotFoundError) or status == 404:
        return HubError(
            f"{host} has no model of the name {quoted(name)}, or it is private.",
            limit="A private model is given only to those who may read it.",
            remedy=f"Check the spelling; for a private one, {_LOGIN}",
        )
    if status in (401, 403):
        return HubError(
            f"{host} refuses to give {name}: it answers {status}.",
            limit="The token is not valid, or may not read this model.",
            remedy=f"Check the token: {_LOGIN}",
        )
    if status == 429:
        return UnreachableError(
            f"{host} takes no more requests for now: it answers 429.",
            limit="The model is not in the cache either.",
            remedy=f"Wait some minutes; with a token more are taken: {_LOGIN}",
        )
    return unreachable(f"it answers {status}")


def _on_disk(error: OSError, wanted: HubName) -> HubError:
    """The error for what is wrong with a file here, or arrived damaged."""
    from huggingface_hub import constants
    from huggingface_hub.errors import FileMetadataError, LocalEntryNotFoundError

    if isinstance(error, FileMetadataError):
        return _not_a_hub(_short(error))
    if isinstance(error, LocalEntryNotFoundError):  # the list of files came, and then no answer any more
        if isinstance(error.__cause__, FileMetadataError):
            return _not_a_hub(_short(error.__cause__))
        return unreachable("the connection broke")
    if error.errno is None:  # the library's own: fewer bytes have arrived than were announced
        return DamagedDownloadError(
            f"The download of {wanted.name} is damaged: {_short(error)}",
            limit="Every byte has to arrive.",
            remedy=_AGAIN,
        )
    return HubError(
        f"The cache of the hub's files cannot be written to: {error.strerror or error}.",
        limit=f"It is in {constants.HF_HUB_CACHE}.",
        remedy=f"{'Free space' if error.errno in _NO_ROOM else 'Allow it'}, or set HF_HOME to another folder.",
    )


def _not_a_hub(why: str) -> UnreachableError:
    return UnreachableError(
        f"{hub_host()} does not answer as the hub does: {why[:_LONGEST_REASON].rstrip('.')}.",
        limit="A login page of the network, a proxy or a mirror may answer in its place.",
        remedy="Check the connection, and HF_ENDPOINT if it is set.",
    )


def _reason(error: Exception) -> str:
    from httpx2 import RemoteProtocolError, TimeoutException

    if isinstance(error, RemoteProtocolError):
        return "the connection broke"
    if isinstance(error, TimeoutException):
        return "there is no answer in time"
    return _short(error) or type(error).__name__


def _short(error: Exception) -> str:
    """The first line of a message, which may come from the server."""
    return (str(error).strip().splitlines() or [""])[0][:_LONGEST_REASON]
