"""Chat templates among a model's files: tokenizer_config.json, chat_template.jinja, additional_chat_templates, GGUF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bpe_core import checks
from bpe_core.chats.rendering import LONGEST_TEMPLATE, render_chat
from bpe_core.errors import ConfigError, quoted, refuse
from bpe_core.formats import gguf_file, gguf_metadata
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.file_choice import (
    ADDITIONAL_TEMPLATES,
    CHAT_TEMPLATE,
    COMPANIONS,
    CONFIG,
    JINJA,
    is_beside,
)
from bpe_core.formats.reading import MOST_BYTES as LARGEST_FILE
from bpe_core.formats.reading import a_list, a_text, an_object, check_size, decoded, refuse_unreadable
from bpe_core.language import listed, message
from bpe_core.tokenizer.templates import Chat, Message

DEFAULT = "default"
"""Name of the template that is used unless another is named."""

MOST_TEMPLATES = 50
MOST_BYTES = 20_000_000
"""Maximum bytes of a file."""

_MAP = COMPANIONS[0]
_LISTS = ("additional_special_tokens", "extra_special_tokens")


class ChatTemplates(NamedTuple):
    """Chat templates of a model, by name, and the special tokens that they write, by role.

    >>> templates = read_chat_templates({"chat_template.jinja": b"{{ messages[0].content }}!"})
    >>> templates.render([Message("user", "Hi")]).text
    'Hi!'
    """

    sources: Mapping[str, str]
    special_tokens: Mapping[str, str | list[str]]

    def source(self, name: str | None = None, *, with_tools: bool = False) -> str:
        """A template by name; None: "tool_use" for tools if there is one, else "default", else the only one.

        Raises ConfigError for an unknown name, and for several without a default.

        >>> ChatTemplates({"default": "a", "rag": "b"}, {}).source("rag")
        'b'
        """
        if name is None and with_tools and "tool_use" in self.sources:
            name = "tool_use"
        if name is None:
            name = DEFAULT if DEFAULT in self.sources or len(self.sources) != 1 else next(iter(self.sources))
        if not isinstance(name, str) or name not in self.sources:
            raise ConfigError(
                message("There is no chat template {name}.", name=quoted(name)),
                limit=message("There are: {names}.", names=listed([quoted(each) for each in self.sources], last="")),
                remedy=message("Name one of them."),
            )
        return self.sources[name]

    def render(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        name: str | None = None,
        *,
        add_generation_prompt: bool = False,
        tools: Sequence[Mapping[str, Any]] | None = None,
    ) -> Chat:
        """Render messages by the template of this name. Raises as `source` and `render_chat` do."""
        source = self.source(name, with_tools=tools is not None)
        return render_chat(
            source, messages, self.special_tokens, add_generation_prompt=add_generation_prompt, tools=tools
        )


def load_chat_templates(path: str | Path) -> ChatTemplates:
    """Chat templates of a model in a folder, in its tokenizer_config.json, in a .jinja file, or in a GGUF file.

    Raises FormatError for files that cannot be read, are damaged, or have no template.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "chat_template.jinja").write_text("{{ messages[0].content }}")
    ...     load_chat_templates(folder).sources
    {'default': '{{ messages[0].content }}'}
    """
    source = Path(checks.file_path(path))
    try:
        if source.is_dir():
            found = [*source.iterdir(), *(source / ADDITIONAL_TEMPLATES).glob(f"*{JINJA}")]
            names = {each.relative_to(source).as_posix(): each for each in sorted(found) if each.is_file()}
            files = {name: _read(each) for name, each in names.items() if is_beside(name)}
        else:
            files = {_kind_of(source): _read(source)}
    except (OSError, ValueError) as error:
        refuse_unreadable(path, error)
    return required_templates(files, quoted(str(path)))


def required_templates(files: Mapping[str, bytes], model: str) -> ChatTemplates:
    """Chat templates as `read_chat_templates`; also raises FormatError, with the name of the model, if there are none.

    >>> required_templates({}, "gpt2")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: gpt2 has no chat template. ...
    """
    templates = read_chat_templates(files)
    if templates is None:
        refuse(
            message("{path} has no chat template.", path=model),
            message("Templates are in tokenizer_config.json or chat_template.jinja."),
            message("Choose a model made for chats."),
        )
    return templates


def read_chat_templates(files: Mapping[str, bytes]) -> ChatTemplates | None:
    """Chat templates among a model's files, given by name; None if there are none. Raises FormatError if damaged.

    A .jinja file comes before a template of the same name in tokenizer_config.json.

    >>> config = b'{"bos_token": {"content": "<s>"}, "chat_template": [{"name": "rag", "template": "{{ bos_token }}"}]}'
    >>> read_chat_templates({"tokenizer_config.json": config})
    ChatTemplates(sources={'rag': '{{ bos_token }}'}, special_tokens={'bos_token': '<s>'})
    """
    sources: dict[str, str] = {}
    tokens: dict[str, str | list[str]] = {}
    for data in filter(gguf_metadata.is_like, files.values()):
        found, special = gguf_file.chat_templates(data)
        sources |= {name: _checked(name, source) for name, source in found.items()}
        tokens |= special
    files = {name: data for name, data in files.items() if is_beside(name)}
    for name, data in files.items():
        check_size(data, name, MOST_BYTES)
    contents = {name: _object(name, files[name]) for name in (_MAP, CONFIG) if name in files}
    sources |= _of_config(contents.get(CONFIG, {}).get("chat_template"))
    for name, data in files.items():
        if name.endswith(JINJA):
            own = DEFAULT if name == CHAT_TEMPLATE else Path(name).stem
            sources[own] = _checked(name, decoded(data, name))
    if not sources:
        return None
    for content in contents.values():
        tokens |= _tokens(content)
    return ChatTemplates(sources, tokens)


def _kind_of(path: Path) -> str:
    return CHAT_TEMPLATE if path.suffix == JINJA else path.name if path.suffix == ".gguf" else CONFIG


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        begin = file.read(MOST_BYTES + 1)
        return begin if not gguf_metadata.is_like(begin) else begin + file.read(LARGEST_FILE - len(begin))


def _object(name: str, data: bytes) -> dict[str, Any]:
    return an_object(name, parsed_json(data, name, limit=message("It is an object.")))


def _of_config(value: object) -> dict[str, str]:
    place = f"{CONFIG}.chat_template"
    if value is None:
        return {}
    if isinstance(value, str):
        return {DEFAULT: _checked(place, value)}
    sources = {}
    for at, entry in enumerate(a_list(place, value, MOST_TEMPLATES)):
        fields = an_object(f"{place}[{at}]", entry, ("name", "template"))
        name = a_text(f"{place}[{at}].name", fields["name"])
        sources[name] = _checked(f"{place}[{at}].template", fields["template"])
    return sources


def _checked(place: str, value: object) -> str:
    text = a_text(place, value)
    if len(text) > LONGEST_TEMPLATE:
        refuse(
            message("{what} has {characters:,} characters.", what=place, characters=len(text)),
            message("The most allowed is {most:,}.", most=LONGEST_TEMPLATE),
            message("Use another template."),
        )
    return text


def _tokens(content: Mapping[str, object]) -> dict[str, str | list[str]]:
    """Special tokens by role; those that are not given, or null, are undefined in a template."""
    found: dict[str, str | list[str]] = {}
    for key, value in content.items():
        if key.endswith("_token") and (token := _token(value)) is not None:
            found[key] = token
        elif key in _LISTS and isinstance(value, list):
            found[key] = [token for token in map(_token, value) if token is not None]
    return found


def _token(value: object) -> str | None:
    text = value.get("content") if isinstance(value, dict) else value
    return text if isinstance(text, str) else None
