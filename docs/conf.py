"""The documentation site: `./run docs` builds it into build/docs, for reading offline."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from myst_parser.parsers.sphinx_ import MystParser

ROOT = Path(__file__).resolve().parents[1]

project = "Carom"
author = "the Carom authors"
_version = re.search(r"project\(carom VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
release = _version.group(1) if _version else ""

extensions = [
    "myst_parser",
    "breathe",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "sphinxcontrib.bibtex",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown", ".ipynb": "notebook"}
exclude_patterns = ["figures"]
bibtex_bibfiles = ["references.bib"]

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 4
myst_all_links_external = False

html_theme = "furo"
html_title = f"Carom {release}"
html_static_path: list[str] = ["static"]
html_css_files = ["carom.css"]
html_show_sphinx = False
html_show_copyright = False
templates_path: list[str] = []
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_HTML"
mathjax2_config = {
    "showMathMenu": False,
    "messageStyle": "none",
    "tex2jax": {"ignoreClass": "tex2jax_ignore", "processClass": "math"},
    "HTML-CSS": {"scale": 92, "linebreaks": {"automatic": True, "width": "container"}},
}
myst_update_mathjax = False
copybutton_exclude = ".linenos, .gp"

breathe_projects = {"carom": str(ROOT / "build" / "doxygen" / "xml")}
breathe_default_project = "carom"
breathe_domain_by_extension = {"h": "c", "def": "c"}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

# ---- files of the tree that pages point at are shown where the repository is, not copied into the site ----

_OUTSIDE = re.compile(r"\]\((?:\.\./)+((?:examples|include|src|tests|tools|bindings|bench|cli|data|scenes|packaging|web)[^)#]*|[A-Z]+(?:\.md|\.cff)?)\)")


def _leave_outside(app: object, docname: str, source: list[str]) -> None:
    """A link to a file outside docs becomes its path: a page read offline cannot follow it."""
    source[0] = re.sub(r"\[([^\]]*)\]" + _OUTSIDE.pattern[2:], lambda m: f"{m.group(1)} (`{m.group(2)}`)", source[0])


# ---- the command line: the texts of --help, as in the man pages ----

_PROGRAM = os.environ.get("CAROM_PROGRAM", str(ROOT / "build-python" / "carom"))


def _help(*command: str) -> str:
    """What `carom COMMAND --help` prints."""
    plain = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    return subprocess.run([_PROGRAM, *command, "--help"], check=True, capture_output=True, text=True, env=plain).stdout


def _put_help(app: object, docname: str, source: list[str]) -> None:
    """The line `<!-- carom --help -->` becomes a section per command."""
    if "<!-- carom --help -->" not in source[0]:
        return
    top = _help()
    names = re.findall(r"^  ([a-z]+) ", top, re.MULTILINE)
    sections = [f"```text\n{top}```\n"] + [f"## carom {name}\n\n```text\n{_help(name)}```\n" for name in names]
    source[0] = source[0].replace("<!-- carom --help -->", "\n".join(sections))


# ---- the C interface: a section per public header ----

_HEADERS = re.compile(r"<!-- headers: ([a-z0-9_ ]+) -->")
_SECTIONS = "briefdescription detaileddescription func typedef enum innerclass public-attrib user-defined"


def _header(name: str) -> str:
    """The section of one header."""
    return f"### carom/{name}.h\n\n```{{doxygenfile}} carom/{name}.h\n:sections: {_SECTIONS}\n```\n"


def _put_headers(app: object, docname: str, source: list[str]) -> None:
    """The line `<!-- headers: solve law -->` becomes a section per header."""
    source[0] = _HEADERS.sub(lambda m: "\n".join(map(_header, m.group(1).split())), source[0])


# ---- notebooks: their cells and the outputs that are stored, as one page of Markdown ----


def _picture(svg: str) -> str:
    """A picture as a file of the site, named by its content; the line of HTML that shows it."""
    name = hashlib.sha256(svg.encode()).hexdigest()[:16] + ".svg"
    path = ROOT / "build" / "docs" / "_static" / "notebooks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    return f'```{{raw}} html\n<img class="notebook" alt="a figure" src="../_static/notebooks/{name}">\n```\n'


def _printed(text: str) -> str:
    """What a cell printed."""
    return f"```{{raw}} html\n<pre class=\"output\">{html.escape(text)}</pre>\n```\n"


def _output(output: dict[str, Any]) -> str:
    """One output of a cell."""
    if output["output_type"] == "stream":
        return _printed("".join(output["text"]))
    data = output["data"]
    return _picture("".join(data["image/svg+xml"])) if "image/svg+xml" in data else _printed("".join(data["text/plain"]))


def _page_of(book: dict[str, Any]) -> str:
    """A notebook as Markdown."""
    parts = []
    for cell in book["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += [_output(o) for o in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"


class NotebookParser(MystParser):
    """Reads .ipynb as Sphinx reads .md."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Turn the notebook into Markdown, and read that."""
        super().parse(_page_of(json.loads(inputstring)), document)


# ---- Debian ships furo's script as a module and its style sheet with the address of a web server, neither of which loads from a
# file, and without the rule that follows the reader's wish for a dark page ----

_NORMALIZE = Path("/usr/share/javascript/normalize.css/normalize.css")
_IMPORT_SHEET = "@import url(/javascript/normalize.css/normalize.css);"
_IMPORT_SCRIPT = 'import Gumshoe from "./gumshoe-patched.js";'
_DARK = re.compile(r'body\[data-theme="dark"\] (\{[^}]*--color-background-primary[^}]*\})')


def _mend_theme(app: Any, failure: Exception | None) -> None:
    """One plain script and one style sheet, so that the site has its menus and its dark theme offline."""
    if failure is not None:
        return
    static = Path(app.outdir) / "_static"
    script, sheet = static / "scripts" / "furo.js", static / "styles" / "furo.css"
    code, style = script.read_text(), sheet.read_text()
    if _IMPORT_SCRIPT in code:
        script.write_text((static / "scripts" / "gumshoe-patched.js").read_text() + code.replace(_IMPORT_SCRIPT, ""))
    dark = _DARK.search(style)
    if _IMPORT_SHEET in style and dark:
        follow = '\n@media (prefers-color-scheme: dark) { body:not([data-theme="light"]) ' + dark.group(1) + " }\n"
        sheet.write_text(style.replace(_IMPORT_SHEET, _NORMALIZE.read_text()) + follow)


def _drop_alias(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """The fields of a named tuple have a name and a type; "Alias for field number 0" says no more."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("autodoc-process-docstring", _drop_alias)
    app.connect("build-finished", _mend_theme)
    app.add_source_parser(NotebookParser)
    app.connect("source-read", _leave_outside)
    app.connect("source-read", _put_help)
    app.connect("source-read", _put_headers)
