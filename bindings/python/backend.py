"""The build backend of the Python package (PEP 517): CMake, a zip file, done.

It needs nothing from a registry: `pip install .` works without a network. CMake, a C compiler and Python's headers
must be there; with cairo the package also reads case files, draws, and brings the program `carom`.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "python" / "carom"
INFO = """Metadata-Version: 2.1
Name: carom
Version: {version}
Summary: Rigid-body impact, resolved: every collision law of the literature, to near machine precision
Requires-Python: >=3.11
License: {licence}
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
"""


def version() -> str:
    """The version that CMakeLists.txt states."""
    found = re.search(r"project\(carom VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert found
    return found.group(1)


def licence() -> str:
    """The identifier in CITATION.cff."""
    found = re.search(r"^license: *(\S+)", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    return found.group(1) if found else "see LICENSE"


def fail(sentence: str) -> None:
    """Stop with one line that says what to do."""
    raise SystemExit(f"carom: {sentence}")


def has_io() -> bool:
    """Whether the libraries for case files and pictures are there."""
    if not shutil.which("pkg-config"):
        return False
    return subprocess.run(["pkg-config", "--exists", "cairo"], check=False).returncode == 0


def build_extensions() -> Path:
    """Build the extensions and the program; the folder they are in."""
    if sys.version_info < (3, 11):
        fail("Python 3.11 or later is needed")
    include = sysconfig.get_path("include")
    if not (Path(include) / "Python.h").exists():
        fail("Python.h is missing; on Debian: apt-get install python3-dev")
    if not shutil.which("cmake"):
        fail("cmake is missing; on Debian: apt-get install cmake gcc make pkg-config")
    folder = Path(os.environ.get("CAROM_PYTHON_BUILD", ROOT / "build-python"))
    programs = "ON" if has_io() else "OFF"
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"]
    configure += ["-DCAROM_PYTHON=ON", f"-DCAROM_PROGRAMS={programs}", f"-DCAROM_PYTHON_INCLUDE={include}"]
    subprocess.run(configure, check=True, stdout=sys.stderr)
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", str(folder), "--target", "carom_python", "-j", jobs], check=True, stdout=sys.stderr)
    return folder


def built(folder: Path) -> dict[str, Path]:
    """What the build has made, by its place in the wheel."""
    made = {f"carom/{p.name}": p for p in (folder / "python").glob("*.abi3.so")}
    if (folder / "carom").exists():
        made[f"carom-{version()}.data/scripts/carom"] = folder / "carom"
    return made


def sources() -> dict[str, Path]:
    """The Python files and the replay page, by their place in the wheel."""
    files = [p for p in sorted(PACKAGE.rglob("*")) if p.suffix in {".py", ".pyi", ".typed"} or p.name == "py.typed"]
    page = ROOT / "web" / "replay" / "dist" / "replay.html"
    pages = {"carom/replay.html": page} if page.exists() else {}
    return {**{f"carom/{p.relative_to(PACKAGE).as_posix()}": p for p in files}, **pages}


def platform() -> str:
    """The platform tag of this machine."""
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def metadata() -> dict[str, bytes]:
    """The files of the dist-info folder, without the record."""
    info = f"carom-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: cp311-abi3-{platform()}\n"
    texts = {"METADATA": INFO.format(version=version(), licence=licence()), "WHEEL": wheel, "LICENSE": (ROOT / "LICENSE").read_text()}
    return {f"{info}/{name}": text.encode() for name, text in texts.items()}


def record_line(name: str, content: bytes) -> str:
    """One line of RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write_wheel(path: Path, files: dict[str, bytes]) -> None:
    """Write a wheel: the files and their record, with fixed times, so that the same build gives the same bytes."""
    record = f"carom-{version()}.dist-info/RECORD"
    lines = "".join(record_line(name, content) for name, content in files.items()) + f"{record},,\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in {**files, record: lines.encode()}.items():
            item = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            item.compress_type = zipfile.ZIP_DEFLATED
            item.external_attr = (0o100755 if "/scripts/" in name or name.endswith(".so") else 0o100644) << 16
            out.writestr(item, content)


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    """Nothing."""
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    """Write the dist-info folder alone, without building; its name."""
    for name, content in metadata().items():
        path = Path(metadata_directory) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return f"carom-{version()}.dist-info"


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Build the wheel; its name."""
    made = {**sources(), **built(build_extensions())}
    name = f"carom-{version()}-cp311-abi3-{platform()}.whl"
    write_wheel(Path(wheel_directory) / name, {**{k: p.read_bytes() for k, p in made.items()}, **metadata()})
    return name


def get_requires_for_build_editable(config_settings: object = None) -> list[str]:
    """Nothing."""
    return []


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """A wheel that points at the sources; the extensions are put beside them."""
    files = {place: path for place, path in sources().items() if not place.endswith((".py", ".pyi", ".typed"))}
    made = built(build_extensions())
    scripts = {place: path for place, path in made.items() if "/scripts/" in place}
    for place, path in {**made, **files}.items():
        if place not in scripts:
            to = PACKAGE.parent / place
            to.parent.mkdir(exist_ok=True)
            shutil.copy2(path, to)
    name = f"carom-{version()}-cp311-abi3-{platform()}.whl"
    pointer = {"carom.pth": f"{PACKAGE.parent}\n".encode()}
    programs = {place: path.read_bytes() for place, path in scripts.items()}
    write_wheel(Path(wheel_directory) / name, {**pointer, **programs, **metadata()})
    return name


def get_requires_for_build_sdist(config_settings: object = None) -> list[str]:
    """Nothing."""
    return []


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """The tracked files as a source distribution; its name."""
    base = f"carom-{version()}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True).stdout
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as out:
        for name in filter(None, listed.decode().split("\0")):
            out.add(ROOT / name, f"{base}/{name}", recursive=False)
        text = INFO.format(version=version(), licence=licence()).encode()
        item = tarfile.TarInfo(f"{base}/PKG-INFO")
        item.size = len(text)
        out.addfile(item, io.BytesIO(text))
    return f"{base}.tar.gz"
