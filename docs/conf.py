"""The documentation site: `./run docs` builds it into build/docs, for reading offline."""

from __future__ import annotations

import re
from pathlib import Path

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
source_suffix = {".md": "markdown"}
exclude_patterns = ["figures", "notebooks/*.ipynb"]
bibtex_bibfiles = ["references.bib"]

myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 4
myst_all_links_external = False

html_theme = "furo"
html_title = f"Carom {release}"
html_static_path: list[str] = ["static"]
html_css_files = ["carom.css"]
html_show_sphinx = False
templates_path: list[str] = []
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_HTML"
mathjax2_config = {"showMathMenu": False}
copybutton_exclude = ".linenos, .gp"

breathe_projects = {"carom": str(ROOT / "build" / "doxygen" / "xml")}
breathe_default_project = "carom"
breathe_domain_by_extension = {"h": "c", "def": "c"}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

# Files of the tree that pages point at are shown where the repository is, not copied into the site.
_OUTSIDE = re.compile(r"\]\((?:\.\./)+((?:examples|include|src|tests|tools|bindings|bench|cli)[^)#]*|[A-Z]+(?:\.md|\.cff)?)\)")


def _leave_outside(app: object, docname: str, source: list[str]) -> None:
    """A link to a file outside docs becomes its path: a page read offline cannot follow it."""
    source[0] = re.sub(r"\[([^\]]*)\]" + _OUTSIDE.pattern[2:], lambda m: f"{m.group(1)} (`{m.group(2)}`)", source[0])


def setup(app: object) -> None:
    """Sphinx calls this."""
    app.connect("source-read", _leave_outside)  # type: ignore[attr-defined]
