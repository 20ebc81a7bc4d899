"""What the tests share."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
VECTORS = sorted((ROOT / "tests" / "vectors").glob("*.jsonl"))


PROGRAM = Path(sys.executable).parent / "carom"  # what the wheel has installed


def run_program(*args, stdin=""):
    """The program's exit status and standard output."""
    done = subprocess.run([PROGRAM, *args], input=stdin, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


@pytest.fixture(params=VECTORS, ids=lambda p: p.stem)
def vectors(request):
    return request.param
