"""One tokenizer file by its https address, from any public host: size-limited, and never from a private network."""

from __future__ import annotations

import http.client
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

from bpe_core.errors import FormatError, HubError, quoted
from bpe_core.formats import gguf_metadata
from bpe_core.formats.reading import MOST_BYTES
from bpe_core.hub.failures import reason_without_answer, without_stop
from bpe_core.hub.names import HOSTS, LONGEST_ADDRESS
from bpe_core.hub.switch import SETTING, allowed_now
from bpe_core.language import message

Progress: TypeAlias = Callable[[int, int], object]
"""Callback with (bytes received, bytes in total, or received if unknown). Its exception ends the download."""

_SCHEME = "https://"
_MOST_REDIRECTS = 5
_SENT_AS_WRITTEN = "/%:@!$&'()*+,;=?~"
"""Characters that stay unencoded in an address, besides letters and digits."""
_SECONDS = 10.0
"""Timeout without a response."""

_BLOCK = 1 << 16
_FIRST_LOOK = 1 << 20
"""Bytes of a GGUF file before the first check whether its metadata is complete; doubled for each further check."""

_FROM_DISK = message("Download the file yourself and open it from your disk.")


class FetchedFile(NamedTuple):
    """A file's name, the last part of its address, and its content; of a GGUF file only the metadata.

    >>> FetchedFile("vocab.txt", b"[UNK]").name
    'vocab.txt'
    """

    name: str
    data: bytes


def is_address(text: str) -> bool:
    """Whether a text is meant as the https address of a file, and not that of a model's page on the hub.

    >>> is_address("https://example.org/vocab.txt"), is_address("Qwen/Qwen3-8B")
    (True, False)
    >>> is_address("https://huggingface.co/me/tiny"), is_address("https://huggingface.co/me/tiny/resolve/main/a.gguf")
    (False, True)
    """
    address = text.strip().lower()
    if address.startswith("http://"):  # rejected by `checked_address`, which says what an address is
        return host_of(address) not in HOSTS
    return address.startswith(_SCHEME) and (host_of(address) not in HOSTS or urlsplit(address).path.endswith(".gguf"))


def checked_address(text: str) -> str:
    """Validate an address: https, at the default port, without a password. Raises HubError.

    The address of a hub page that shows a file becomes that of the file itself.

    >>> checked_address(" https://huggingface.co/me/tiny/blob/main/a.gguf ")
    'https://huggingface.co/me/tiny/resolve/main/a.gguf'
    >>> checked_address("https://example.org:8080/a.json")
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: 'https://example.org:8080/a.json' is not downloaded. ...
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        right = parts.scheme == "https" and parts.port in (None, 443)
        right = right and bool((parts.hostname or "").encode("idna"))  # its labels have at most 63 characters
    except ValueError:
        right = False
    if not right or len(text) > LONGEST_ADDRESS or re.search(r"[@\s]", parts.netloc) or not text.isprintable():
        raise HubError(
            message("{address} is not downloaded.", address=quoted(text, 100)),
            limit=message("An address begins with https:// and a host, without a port, a name or a password."),
            remedy=message("Copy the address of the file from the browser."),
        )
    path = parts.path
    if parts.netloc.lower() in HOSTS:
        path = path.replace("/blob/", "/resolve/", 1)
    path, query = (quote(each, safe=_SENT_AS_WRITTEN) for each in (path, parts.query))
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def host_of(address: str) -> str:
    """The host of an address; "" if it has none.

    >>> host_of("https://example.org/a.json")
    'example.org'
    """
    try:
        return urlsplit(address.strip()).hostname or ""
    except ValueError:
        return ""


def fetch_address(address: str, on_progress: Progress | None = None) -> FetchedFile:
    """Download a file; of a GGUF file only the metadata, so that a model of any size takes a few megabytes.

    Requests go to the address, and to at most five others to which its host redirects, all https and public: never to
    a host of a private network or to this machine. Raises HubError for an address that is not allowed or does not
    answer with a file, for more than MOST_BYTES, and if BPE_LAB_HUB is off.

    >>> fetch_address("https://localhost/a.json")
    Traceback (most recent call last):
        ...
    bpe_core.errors.HubError: localhost is not contacted: it is not a public host. ...
    """
    if not allowed_now():
        raise HubError(
            message("{host} is not contacted.", host=quoted(host_of(address))),
            limit=message("{setting} is off.", setting=SETTING),
            remedy=message("Set it to on, or open the file from your disk."),
        )
    asked = checked_address(address)
    name = unquote(urlsplit(asked).path).rpartition("/")[2] or host_of(asked)
    for _ in range(_MOST_REDIRECTS + 1):
        with _Answer(asked) as answer:
            if answer.redirect is None:
                return FetchedFile(name, _content(answer, on_progress))
            asked = checked_address(urljoin(asked, answer.redirect))
    raise HubError(
        message("{host} redirects more than {most} times.", host=host_of(address), most=_MOST_REDIRECTS),
        limit=message("A file is at the end of its redirects."),
        remedy=_FROM_DISK,
    )


def _content(answer: _Answer, on_progress: Progress | None) -> bytes:
    data = bytearray()
    look = _FIRST_LOOK
    for block in answer.blocks():
        data += block
        if on_progress is not None:
            on_progress(len(data), max(answer.size, len(data)))
        if len(data) >= look and gguf_metadata.is_like(data):
            look = 2 * len(data)
            if _is_complete(bytes(data)):
                break
        if len(data) > MOST_BYTES:
            _refuse_large(answer.host, len(data))
    return bytes(data)


def _is_complete(data: bytes) -> bool:
    try:
        return gguf_metadata.complete(data)
    except FormatError:  # reported when the file is opened
        return True


def _refuse_large(host: str, size: int) -> None:
    raise HubError(
        message("The file at {host} has at least {bytes:,} bytes.", host=host, bytes=size),
        limit=message("The most allowed is {most:,}.", most=MOST_BYTES),
        remedy=message("Choose the file of a tokenizer, not of a model's weights."),
    )


class _Answer:
    """The answer to one request; failures of the network become HubError."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.host = host_of(address)
        self._connection = _PublicConnection(self.host, timeout=_SECONDS)

    def __enter__(self) -> _Answer:
        parts = urlsplit(self._address)
        target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        try:
            self._connection.request("GET", target, headers={"User-Agent": "bpe-lab", "Accept-Encoding": "identity"})
            self._response = self._connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection.close()
            raise self._unreachable(error) from None
        status = self._response.status
        self.redirect = self._response.getheader("Location") if 300 <= status < 400 else None
        length = self._response.getheader("Content-Length") or ""
        self.size = int(length) if length.isascii() and length.isdigit() and len(length) < 16 else 0
        if status != 200 and self.redirect is None:
            self._connection.close()
            raise HubError(
                message("{host} answers with {status} instead of a file.", host=self.host, status=status),
                limit=message("A download needs the status 200."),
                remedy=message("Check the address in a browser: it may need a login."),
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def blocks(self) -> Iterator[bytes]:
        try:
            while block := self._response.read1(
                _BLOCK
            ):  # only what has arrived: a slow host must not block cancellation
                yield block
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from None

    def _unreachable(self, error: Exception) -> HubError:
        reason = without_stop(reason_without_answer(error))
        return HubError(
            message("{host} cannot be reached: {reason}.", host=self.host, reason=reason),
            limit=message("It answers within {seconds:.0f} seconds.", seconds=_SECONDS),
            remedy=message("Try again later, or open the file from your disk."),
        )


class _PublicConnection(http.client.HTTPSConnection):
    """A connection to a public address of a host, which is resolved once, checked, and not resolved again."""

    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        places = [str(place[0]) for *_, place in found]
        if not places or not all(ipaddress.ip_address(place.partition("%")[0]).is_global for place in places):
            raise HubError(
                message("{host} is not contacted: it is not a public host.", host=self.host),
                limit=message("Files are fetched from the internet, not from this machine or its network."),
                remedy=_FROM_DISK,
            )
        plain = socket.create_connection((places[0], self.port), self.timeout)
        self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
