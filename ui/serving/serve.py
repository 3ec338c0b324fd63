"""Server start: `python -m ui.serving.serve`, as used by scripts/run, the image and `bpe-lab run`.

All setup is in `set_up`, `middleware` and `lifespan`, which app.py calls when Streamlit imports it for the server.
So `streamlit run app.py` behaves the same.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

import streamlit as st
from starlette.middleware import Middleware
from streamlit import cli_util, config
from streamlit.web.server import server_util

from ui.memory.visitors import VISITORS
from ui.serving import startup
from ui.serving.descriptors import ShortLog, most_descriptors, raise_limit, visitors_that_fit
from ui.serving.protection import Protection
from ui.serving.static_files import FromMemory
from ui.serving.uploads import UploadLimit
from ui.serving.websocket_log import shorten_log
from ui.session.folders import HOME

if TYPE_CHECKING:
    from streamlit import App

SETTINGS = ("ui.memory.limit", "ui.session.hub", "ui.serving.framing")
"""Modules that read server settings: an invalid one fails the start, not a later script run."""

LONGEST_TURN = 0.001
"""Interval in seconds after which a computing thread yields, above all to the thread that sends messages. Python's
default of 5 ms adds up over all steps of a class."""


def main(arguments: list[str]) -> None:
    """Serve the app until stopped; `arguments` are options of `streamlit run`.

    Changes to the app's folder, since Streamlit reads `.streamlit/config.toml` and secrets from the working directory.
    """
    from streamlit.web import cli

    os.chdir(HOME)
    cli.main(["run", "app.py", *arguments], prog_name="streamlit")


def set_up() -> None:
    """Preload everything the first session needs; once, before the server is created."""
    for module in SETTINGS:
        import_module(module)
    startup.prepare()
    _declare_navigation()
    raise_limit()
    shorten_log()
    sys.setswitchinterval(LONGEST_TURN)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # Streamlit prints the URL itself


def _declare_navigation() -> None:
    """Prevent Streamlit from running a file of pages/ on its own.

    Until the first call of st.navigation, a page's URL would run its file without app.py. Streamlit warns about calls
    outside of a run.
    """
    logging.disable(logging.WARNING)
    try:
        st.navigation([st.Page(_declare_navigation)], position="hidden")
    finally:
        logging.disable(logging.NOTSET)


def middleware() -> list[Middleware]:
    """ASGI middleware in front of Streamlit."""
    return [Middleware(Protection), Middleware(UploadLimit), Middleware(FromMemory)]


def lifespan(load_first_page: Callable[[], None]) -> Callable[[App], AbstractAsyncContextManager[None]]:
    """Server lifespan: print the capacity, and open the app in a browser, as Streamlit does for a plain script.

    load_first_page: called in the background, once components can be registered.
    """

    @asynccontextmanager
    async def open_browser(app: App) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(ShortLog())
        VISITORS.in_loop = loop.call_soon_threadsafe
        allowed = most_descriptors()
        if allowed is not None:
            fit = visitors_that_fit(allowed)
            print(
                f"  Up to {fit:,} visitors at a time fit: this process may open {allowed:,} files (ulimit -n).\n",
                flush=True,
            )
        if not config.get_option("server.headless"):
            loop.call_soon(cli_util.open_browser, _url())
        Thread(target=load_first_page, name="load the first page", daemon=True).start()
        yield

    return open_browser


def _url() -> str:
    if config.is_manually_set("browser.serverAddress"):
        address = config.get_option("browser.serverAddress")
    else:
        address = server_util.get_display_address(config.get_option("server.address") or "localhost")
    return server_util.get_url(address)


if __name__ == "__main__":
    main(sys.argv[1:])
