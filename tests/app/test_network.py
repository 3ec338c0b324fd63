"""Links of a class: who can open them, with which address, and their QR codes."""

import socket

import pytest
import segno
from streamlit import config

from ui.serving import network
from ui.serving.network import reach
from ui.widgets.link import LONGEST_CODE, code_of


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server for all machines, in a network where this one is 10.1.2.3."""
    monkeypatch.setattr(network, "_listens", lambda: True)
    monkeypatch.setattr(network, "address_in_network", lambda: "10.1.2.3")


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_page_opened_on_this_machine_is_linked_by_its_address_in_the_network(host: str) -> None:
    assert reach(f"http://{host}:8501/compare?text=a") == ("others", "http://10.1.2.3:8501")


@pytest.mark.parametrize("url", ["https://bpe.example.org/", "http://192.168.1.5:8501", "", "http://localhost:no"])
def test_a_page_opened_by_another_address_keeps_it(url: str) -> None:
    assert reach(url) == ("others", "")


def test_a_server_for_this_machine_alone_says_so() -> None:
    assert config.get_option("server.address") == "localhost"
    assert reach("http://localhost:8501").openers == "here"


def test_a_machine_in_no_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_listens", lambda: True)
    for address in ("127.0.0.1", "0.0.0.0"):
        monkeypatch.setattr(socket.socket, "connect", lambda *_: None)
        monkeypatch.setattr(socket.socket, "getsockname", lambda _, at=address: (at, 1))
        assert reach("http://localhost:8501").openers == "no network"

    def unreachable(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert reach("http://localhost:8501").openers == "no network"


def test_a_code_is_that_of_the_link_and_a_link_too_long_to_be_read_has_none() -> None:
    link = "http://10.1.2.3:8501/?sample=toy_hug&step=2"
    assert code_of(link) == ["".join(map(str, row)) for row in segno.make_qr(link, error="l").matrix]
    assert code_of("http://" + LONGEST_CODE * "a") == []
