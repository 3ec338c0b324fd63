"""A separate server: its log contains only the effects of forged messages."""

from collections.abc import Iterator

import pytest

from tests.browser.serving import Server, served_app
from tests.forged.visitor import visiting


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The running app, opened once: no test may be its first session."""
    with served_app(tmp_path_factory.mktemp("forged")) as served:
        with visiting(served.url) as visitor:
            visitor.open()
        yield served
