"""Batches on an NVIDIA GPU, on arrays where they lie: CuPy, PyTorch, JAX, or ``Array`` of this module.

    device = carom.gpu.open()
    out = device.solve_columns({"K_t11": a, ..., "u_n": z}, "routh-stronge", e=0.5, mu=0.3)
    p_n = torch.from_dlpack(out["p_n"])          # or cupy.from_dlpack, jax.dlpack.from_dlpack: no copy

Arrays speak DLPack or ``__cuda_array_interface__``. Every row gets what ``carom.solve`` gives for it, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._solve import _IN, _LEDGER, _MOTION
from ._words import COEFFICIENTS, rule, warn_unused

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "Device", "open"]

_CUDA = (2, 13)  # kinds of memory in DLPack that kernels reach: of the device, managed
_DEFAULT_STREAM = 1  # in both protocols: what was begun before it is done when ours begins
_BYTES = ("status", "flags", "defined", "mode")


class _Place(NamedTuple):
    """Where an array is; ``owner`` keeps it there."""

    address: int
    rows: int
    owner: Any


def _by_dlpack(name: str, array: Any) -> tuple[int, int, str, bool, Any]:
    kind = int(array.__dlpack_device__()[0])
    if kind not in _CUDA:
        raise TypeError(f"{name} is not in the memory of the device")
    capsule = array.__dlpack__(stream=_DEFAULT_STREAM)
    return (*_core.dlpack_look(capsule), capsule)


def _by_interface(name: str, array: Any) -> tuple[int, int, str, bool, Any]:
    told = array.__cuda_array_interface__
    rows, step = 1, 8 if told["typestr"].endswith("f8") else 1
    contiguous = True
    for size, stride in zip(reversed(told["shape"]), reversed(told.get("strides") or [None] * len(told["shape"]))):
        contiguous &= stride is None or size == 1 or stride == step * rows
        rows *= size
    if told.get("stream") not in (None, _DEFAULT_STREAM):
        raise ValueError(f"{name} belongs to a stream of its own: pass it by DLPack, or wait for that stream and use the default one")
    return told["data"][0], rows, told["typestr"][1:], contiguous, array


def _place(name: str, array: Any, rows: int | None) -> _Place:
    """The memory of a column: on the device, contiguous, of the type that its name needs, as long as the others."""
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        address, count, type, contiguous, owner = _by_dlpack(name, array)
    elif hasattr(array, "__cuda_array_interface__"):
        address, count, type, contiguous, owner = _by_interface(name, array)
    else:
        raise TypeError(f"{name} speaks neither DLPack nor __cuda_array_interface__")
    needed = "u1" if name in _BYTES else "f8"
    if type != needed:
        raise TypeError(f"{name} must be an array of {'uint8' if needed == 'u1' else 'float64'}")
    if not contiguous:
        raise ValueError(f"{name} must be contiguous")
    if rows is not None and count != rows:
        raise ValueError(f"{name} has {count} rows, the others have {rows}")
    return _Place(address, count, owner)


class Array:
    """A column in the memory of a device; speaks DLPack and ``__cuda_array_interface__``."""

    def __init__(self, device: Device, rows: int, dtype: str = "f8") -> None:
        self.device, self.rows, self.dtype = device, rows, dtype
        self._address = _core.gpu_take(device._gpu, max(1, rows) * self._width)

    @property
    def _width(self) -> int:
        return 8 if self.dtype == "f8" else 1

    def __len__(self) -> int:
        """The number of entries."""
        return self.rows

    def __del__(self) -> None:
        """Give the memory back."""
        if getattr(self, "_address", 0):
            _core.gpu_give_back(self.device._gpu, self._address)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3 of the protocol."""
        order = "<" if self.dtype == "f8" else "|"
        return {"shape": (self.rows,), "typestr": order + self.dtype, "data": (self._address, False), "strides": None, "stream": None, "version": 3}

    def __dlpack_device__(self) -> tuple[int, int]:
        """CUDA, and the number of the device."""
        return _CUDA[0], self.device.index

    def __dlpack__(self, **wishes: Any) -> Any:
        """A capsule that keeps this array alive. Results are there when a call returns: no stream has to wait."""
        return _core.dlpack_make(self, self._address, self.rows, self._width, self.device.index)

    def numpy(self) -> NDArray[Any]:
        """A copy in the memory of the host."""
        import numpy as np

        here = np.empty(self.rows, self.dtype)
        _core.gpu_fetch(self.device._gpu, self._address, here)
        return here


class Device:
    """A GPU that is open. One thread at a time may use it: threads that share a device open it once each."""

    def __init__(self, index: int = 0) -> None:
        self._gpu, self.index = _core.gpu_open(index), index

    @property
    def name(self) -> str:
        """What the driver calls it."""
        return _core.gpu_name(self._gpu)

    def array(self, values: ArrayLike) -> Array:
        """Numbers of the host, copied into an array of the device."""
        import numpy as np

        here = np.ascontiguousarray(values)
        here = here if here.dtype == np.uint8 else here.astype(np.float64, copy=False)
        there = Array(self, here.size, "u1" if here.dtype == np.uint8 else "f8")
        _core.gpu_send(self._gpu, there._address, here)
        return there

    def solve_columns(
        self,
        columns: dict[str, Any],
        law: str | _core.Rule | Callable[..., Any] = "routh-stronge",
        *,
        out: dict[str, Any] | None = None,
        ledger: bool = False,
        **coefficients: Any,
    ) -> dict[str, Any]:
        """``carom.solve_columns`` on the device: no copy, results into ``out`` or into new arrays of this module.

        A coefficient may be a column of the device, too. ``ledger`` adds energies, restitutions and flags to new results.
        """
        for name in columns:
            if name not in _IN:
                raise ValueError(f"unknown column {name!r}; there are {', '.join(_IN)}")
        rows: int | None = None
        places: dict[str, _Place] = {}
        own = {n: v for n, v in coefficients.items() if n in COEFFICIENTS and not isinstance(v, (int, float))}
        for name, array in {**columns, **own}.items():
            places[name] = _place(name, array, rows)
            rows = places[name].rows
        results = self._results(rows or 0, "K_t22" in columns, ledger) if out is None else out
        r = rule(law, **{n: v for n, v in coefficients.items() if n not in own})
        warn_unused(r.law, own)
        held = {n: _place(n, a, rows) for n, a in results.items()}
        given = tuple(places[n].address if n in places else None for n in _IN)
        _core.gpu_solve(self._gpu, r, rows or 0, given, {n: places[n].address for n in own}, {n: h.address for n, h in held.items()})
        return results

    def _results(self, rows: int, spatial: bool, ledger: bool) -> dict[str, Array]:
        names = [n for n in _MOTION if spatial or "t2" not in n] + [*(_LEDGER if ledger else ())]
        return {n: Array(self, rows, "u1" if n in _BYTES else "f8") for n in [*names, *(_BYTES if ledger else _BYTES[:1])]}

    def close(self) -> None:
        """Free what the library holds there. Its arrays must be gone by then."""
        _core.gpu_close(self._gpu)


def open(index: int = 0) -> Device:
    """Open a device; ``carom.Error`` says in one sentence what is missing."""
    return Device(index)
