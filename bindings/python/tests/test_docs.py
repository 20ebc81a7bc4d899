"""The Python blocks of the pages run, one page after the other, each in one namespace."""

import re
import warnings

import pytest
from conftest import ROOT

BLOCK = re.compile(r"(?:^<!-- given: (.*?) -->\n\n)?^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if "```python" in p.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_python_blocks(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for given, code in BLOCK.findall(page.read_text()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(given.replace("; ", "\n"), names)
            exec(compile(code, page.name, "exec"), names)


def test_the_guide_has_blocks():
    assert ROOT / "docs" / "guide" / "python.md" in PAGES
