"""Address at which other machines on the network reach this server."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from streamlit import config

START_FOR_OTHERS = "scripts/run --server.address 0.0.0.0"
"""Command that starts the app so that other machines can open it."""

_ELSEWHERE = ("192.0.2.1", 9)
"""A reserved address: connecting to it by UDP sends nothing, but shows which of this machine's addresses is used."""

Openers = Literal["others", "here", "no network"]


class Reach(NamedTuple):
    """Who can open a link of the page.

    openers     "others"; "here": only this machine, since the server listens locally; "no network": it has no address
    site        scheme, host and port that replace those in the address bar; "" to keep them
    """

    openers: Openers
    site: str = ""


def reach(url: str) -> Reach:
    """Who can open the page that a visitor has opened at `url`.

    >>> reach("https://bpe.example.org/lessons").openers
    'others'
    """
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:  # no port
        return Reach("others")
    if not _is_this_machine(host):
        return Reach("others")
    if not _listens():
        return Reach("here")
    address = address_in_network()
    if address is None:
        return Reach("no network")
    return Reach("others", f"{parts.scheme}://{address}{f':{port}' if port else ''}")


def address_in_network() -> str | None:
    """This machine's address on the network; None without one."""
    if config.is_manually_set("browser.serverAddress"):
        return str(config.get_option("browser.serverAddress"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as reaching:
        try:
            reaching.connect(_ELSEWHERE)
        except OSError:
            return None
        address = str(reaching.getsockname()[0])
    return None if _is_this_machine(address) or ip_address(address).is_unspecified else address


def _listens() -> bool:
    """Whether the server accepts connections from other machines."""
    return not _is_this_machine(config.get_option("server.address") or "")


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a host name
        return False
