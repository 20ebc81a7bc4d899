"""What the tests share."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
VECTORS = sorted((ROOT / "tests" / "vectors").glob("*.jsonl"))


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


@pytest.fixture(params=VECTORS, ids=lambda p: p.stem)
def vectors(request):
    return request.param
