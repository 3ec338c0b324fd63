"""The scripts of our components at an address of their own, so that a browser fetches each once.

Streamlit sends the script of a component with every message that draws it: thirty kilobytes for each of the eight views
of a step, which are read, hashed and sent again for every visitor at every step. It can name an address instead, but
only for files in an installed package. So what keeps the definitions of components, and what answers for their files,
are wrapped here, once for a server.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route
from streamlit.components.v2.component_registry import BidiComponentDefinition, BidiComponentRegistry
from streamlit.web.server.starlette import starlette_app
from streamlit.web.server.starlette.starlette_server_config import STATIC_ASSET_CACHE_MAX_AGE_SECONDS

from ui.components.defined import script_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.routing import BaseRoute

_KEEP = f"public, immutable, max-age={STATIC_ASSET_CACHE_MAX_AGE_SECONDS}"


class AtAddress(BidiComponentDefinition):
    """A component whose script is named by its content and fetched by the browser."""

    @cached_property
    def js_url(self) -> str:
        """The name of the script."""
        return _address(self.js or "")

    @property
    def js_content(self) -> None:
        """Nothing that goes with the message."""
        return


def _address(script: str) -> str:
    return f"{blake2b(script.encode(), digest_size=12).hexdigest()}.js"


class Scripts:
    """The scripts by the path of their address. Only scripts of components are answered.

    A page that outlives a restart of its server asks for scripts before a run has defined their components: they come
    from `undefined`, which knows a script by the component's name.
    """

    def __init__(self, undefined: Callable[[str], str | None] = lambda name: None) -> None:
        self._by_path: dict[str, bytes] = {}
        self._undefined = undefined

    def take(self, definition: BidiComponentDefinition) -> BidiComponentDefinition:
        """The same component, its script at an address; one that has no script of its own text as it is."""
        if not definition.js_content:
            return definition
        taken = AtAddress(definition.name, definition.html, definition.css, definition.js)
        self._by_path[f"{taken.name}/{taken.js_url}"] = definition.js_content.encode()
        return taken

    def answer(self, path: str) -> Response | None:
        """The script at this path, None where there is none."""
        script = self._by_path.get(path) or self._not_defined_yet(path)
        if script is None:
            return None
        return Response(script, media_type="text/javascript", headers={"Cache-Control": _KEEP})

    def _not_defined_yet(self, path: str) -> bytes | None:
        name, _, address = path.partition("/")
        script = self._undefined(name)
        return script.encode() if script is not None and _address(script) == address else None

    def routes(self, streamlits: Callable[..., list[BaseRoute]], *given: Any) -> list[BaseRoute]:
        """Streamlit's routes to the files of components, with these scripts before them."""
        files, *rest = streamlits(*given)
        assert isinstance(files, Route)

        async def script(request: Request) -> Response:
            return self.answer(request.path_params["path"]) or await files.endpoint(request)

        return [Route(files.path, script, methods=["GET"]), *rest]


def serve_scripts() -> None:
    """From now on in this process. Before the first component is defined, and before a server starts."""
    scripts = Scripts(script_of)
    server: Any = starlette_app
    register, routes = BidiComponentRegistry.register, server.create_bidi_component_routes

    def registered(registry: BidiComponentRegistry, definition: BidiComponentDefinition) -> None:
        register(registry, scripts.take(definition))

    BidiComponentRegistry.register = registered  # type: ignore[assignment, method-assign]
    server.create_bidi_component_routes = lambda *given: scripts.routes(routes, *given)
