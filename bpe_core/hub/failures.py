"""Conversion of the hub library's exceptions to HubError: gated, missing, no such revision, unreachable, refused,
cache, damaged."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError

from bpe_core.errors import BpeError, HubError, quoted, reason_of
from bpe_core.hub.library import hub_address, hub_host, hub_library
from bpe_core.hub.names import HubName
from bpe_core.language import TranslatableMessage, joined, message

_AGAIN = message("Try again later, or open its tokenizer file from your disk.")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_LONGEST_REASON = 200


class UnreachableError(HubError):
    """No response from the hub, or a response from another server. Cached files remain usable.

    >>> UnreachableError("huggingface.co cannot be reached.").problem
    'huggingface.co cannot be reached.'
    """


class DamagedDownloadError(HubError):
    """A file damaged during the download.

    >>> DamagedDownloadError("tokenizer.json is damaged.").problem
    'tokenizer.json is damaged.'
    """


@contextmanager
def as_hub_errors(wanted: HubName) -> Iterator[None]:
    """Convert exceptions of the hub's library in the `with` block to HubError; errors of this project propagate.

    >>> with as_hub_errors(HubName("gpt2")):
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
    except HfHubHTTPError as error:  # a subclass of OSError
        raise _answered(error, wanted) from None
    except OfflineModeIsEnabled:
        raise UnreachableError(
            message("{model} is not in the cache, and the hub's library is set to work offline.", model=wanted.name),
            limit=message("With HF_HUB_OFFLINE only files already in the cache are available."),
            remedy=message("Unset HF_HUB_OFFLINE."),
        ) from None
    except InvalidURL as error:
        raise _not_a_hub(str(error)) from None
    except HTTPError as error:
        raise unreachable(_reason(error)) from None
    except HFValidationError as error:
        raise HubError(
            message("{model} is refused: {reason}", model=quoted(wanted.name), reason=_short(error)),
            remedy=message("Check the name."),
        ) from None
    except OSError as error:
        raise _on_disk(error, wanted) from None
    except (ValueError, TypeError, KeyError, AttributeError, RuntimeError, AssertionError) as error:
        is_json = not isinstance(error, JSONDecodeError)
        other_form, not_json = message("the response has an unexpected form"), message("the response is not JSON")
        raise _not_a_hub(other_form if is_json else not_json) from None


def unreachable(reason: str) -> UnreachableError:
    """Build the error for an unreachable hub.

    >>> unreachable("no answer").problem.endswith("cannot be reached: no answer.")
    True
    """
    return UnreachableError(
        message("{host} cannot be reached: {reason}.", host=hub_host(), reason=without_stop(reason)),
        limit=message("The model is not in the cache either."),
        remedy=joined(message("Check the connection, or the mirror in HF_ENDPOINT."), _AGAIN),
    )


def _answered(error: OSError, wanted: HubName) -> HubError:
    """Convert an HTTP error, by the library's exception class or the status code."""
    from huggingface_hub import errors

    assert isinstance(error, errors.HfHubHTTPError)
    status = error.response.status_code
    name, host = wanted.name, hub_host()
    if isinstance(error, errors.GatedRepoError):  # before its base class RepositoryNotFoundError
        return HubError(
            message(
                "{model} is gated: {host} requires accepting its terms first.",
                model=name,
                host=host,
            ),
            limit=message("That needs an account, and its token on this machine."),
            remedy=message(
                "Accept the terms at {address}, then log in with `hf auth login` or set HF_TOKEN.",
                address=f"{hub_address()}/{name}",
            ),
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return HubError(
            message("{model} has no revision {revision}.", model=name, revision=quoted(wanted.revision or "main")),
            limit=message("A revision is a branch, a tag or a commit of the model."),
            remedy=message("Look at its page, or leave it out for the main branch."),
        )
    if isinstance(error, errors.DisabledRepoError):
        return HubError(
            message("{model} is disabled on {host}.", model=name, host=host),
            limit=message("It cannot be downloaded."),
            remedy=message("Choose another model."),
        )
    if isinstance(error, errors.RepositoryNotFoundError) or status == 404:
        return HubError(
            message("{host} has no model named {model}, or it is private.", host=host, model=quoted(name)),
            limit=message("A private model requires read permission."),
            remedy=message("Check the spelling; for a private one, log in with `hf auth login` or set HF_TOKEN."),
        )
    if status in (401, 403):
        return HubError(
            message("{host} refuses access to {model}: status {status}.", host=host, model=name, status=status),
            limit=message("The token is not valid, or may not read this model."),
            remedy=message("Check the token: log in with `hf auth login` or set HF_TOKEN."),
        )
    if status == 429:
        return UnreachableError(
            message("{host} accepts no more requests for now (status 429).", host=host),
            limit=message("The model is not in the cache either."),
            remedy=message(
                "Wait a few minutes. The limit is higher with a token: log in with `hf auth login` or set HF_TOKEN."
            ),
        )
    return unreachable(message("it returned status {status}", status=status))


def _on_disk(error: OSError, wanted: HubName) -> HubError:
    """Convert an error of the local cache or of a damaged download."""
    from huggingface_hub import constants
    from huggingface_hub.errors import FileMetadataError, LocalEntryNotFoundError

    if isinstance(error, FileMetadataError):
        return _not_a_hub(_short(error))
    if isinstance(error, LocalEntryNotFoundError):  # the list of files arrived, then the connection broke
        if isinstance(error.__cause__, FileMetadataError):
            return _not_a_hub(_short(error.__cause__))
        return unreachable(message("the connection broke"))
    if error.errno is None:  # raised by the library: fewer bytes arrived than announced
        return DamagedDownloadError(
            message("The download of {model} is damaged: {reason}", model=wanted.name, reason=_short(error)),
            limit=message("A download must be complete."),
            remedy=_AGAIN,
        )
    return HubError(
        message("The cache of the hub's files cannot be written to: {reason}.", reason=reason_of(error)),
        limit=message("It is in {folder}.", folder=constants.HF_HUB_CACHE),
        remedy=message("Free space, or set HF_HOME to another folder.")
        if error.errno in _NO_ROOM
        else message("Allow it, or set HF_HOME to another folder."),
    )


def _not_a_hub(why: str) -> UnreachableError:
    return UnreachableError(
        message(
            "The response from {host} is not from the hub: {reason}.",
            host=hub_host(),
            reason=without_stop(why),
        ),
        limit=message("A login page of the network, a proxy or a mirror may answer in its place."),
        remedy=message("Check the connection, and HF_ENDPOINT if it is set."),
    )


def without_stop(reason: str) -> str:
    """Another library's message, shortened and without its full stop; own messages unchanged.

    >>> without_stop("no answer.")
    'no answer'
    """
    return reason if isinstance(reason, TranslatableMessage) else reason[:_LONGEST_REASON].rstrip(".")


def reason_without_answer(error: Exception) -> str:
    """Reason for a missing answer, from the system error that caused a library's; texts of both are only in English.

    >>> reason_without_answer(ConnectionRefusedError(111, "Connection refused"))
    'it refuses the connection'
    """
    behind: BaseException | None = error
    while behind is not None:
        for kind, reason in _WITHOUT_ANSWER.items():
            if isinstance(behind, kind):
                return reason
        behind = behind.__cause__ or behind.__context__
    return _short(error) or type(error).__name__


_WITHOUT_ANSWER: dict[type[BaseException], str] = {
    socket.gaierror: message("its name cannot be resolved"),
    ssl.SSLError: message("its certificate or its encryption is not accepted"),
    TimeoutError: message("there is no answer in time"),
    ConnectionRefusedError: message("it refuses the connection"),
    ConnectionError: message("the connection broke"),
}
"""Reasons by class of system error, a class before its base class."""


def _reason(error: Exception) -> str:
    from httpx2 import RemoteProtocolError, TimeoutException, TooManyRedirects

    if isinstance(error, RemoteProtocolError):
        return message("the connection broke")
    if isinstance(error, TimeoutException):
        return message("there is no answer in time")
    if isinstance(error, TooManyRedirects):
        return message("it redirects too often")
    return reason_without_answer(error)


def _short(error: Exception) -> str:
    """First line of an error message, shortened because it may come from the server."""
    return (str(error).strip().splitlines() or [""])[0][:_LONGEST_REASON]
