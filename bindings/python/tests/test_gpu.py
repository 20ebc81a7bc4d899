"""carom.gpu and carom.autograd. Without a GPU, PyTorch or JAX: against libraries that stand in for them.

The driver's stand-in is built with the tests of the C library (tests/gpu) and executes the kernels on the processor; its memory is that of
the host, so a foreign array is a class that gives the address of such memory in the words of a protocol.
"""

import os
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import carom
import carom.autograd
import carom.gpu

DRIVER = Path(__file__).resolve().parents[3] / "build" / "tests" / "gpu" / "driver"
BEGIN = """
import numpy as np
import carom, carom.gpu
from carom import _core
rng = np.random.default_rng(7)
L = rng.uniform(-1, 1, (500, 3, 3))
K = L @ L.transpose(0, 2, 1) + 0.5 * np.eye(3)
u = rng.uniform(-2, 2, (500, 3))
K[3], u[5] = np.nan, 0
places = dict(K_t11=(0, 0), K_t12=(0, 1), K_t22=(1, 1), K_t1n=(0, 2), K_t2n=(1, 2), K_nn=(2, 2))
host = {n: np.ascontiguousarray(K[:, i, j]) for n, (i, j) in places.items()}
host |= dict(u_t1=u[:, 0].copy(), u_t2=u[:, 1].copy(), u_n=u[:, 2].copy())
device = carom.gpu.open()
columns = {n: device.array(x) for n, x in host.items()}

class Interface:  # CuPy's and Numba's way
    def __init__(self, array, **changed):
        self.array, self.__cuda_array_interface__ = array, {**array.__cuda_array_interface__, **changed}

class Packed:  # that of PyTorch and JAX
    def __init__(self, array):
        self.array, self.streams = array, []
    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()

def refused(call, *words):
    try:
        call()
    except (TypeError, ValueError) as error:
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError(words)
"""


def on_stand_in(script: str) -> None:
    """Run a script where the driver is the stand-in."""
    if not (DRIVER / "libcuda.so.1").exists():
        pytest.skip("the driver's stand-in is not built: ./run build and the tests of the C library")
    env = {**os.environ, "LD_LIBRARY_PATH": str(DRIVER)}
    got = subprocess.run([sys.executable, "-c", BEGIN + script], env=env, capture_output=True, text=True, check=False)
    if "without kernels" in got.stderr or "no kernels" in got.stderr:
        pytest.skip("this build has no kernels")
    assert got.returncode == 0, got.stderr


def test_device_gives_the_bits_of_the_processor() -> None:
    on_stand_in("""
for law in ("newton", "chatterjee-mix", "routh-stronge", "jia"):
    want = {n: np.empty(500) for n in ("p_t1", "p_t2", "p_n", "u_t1", "u_t2", "u_n", *carom._solve._LEDGER)}
    want |= {n: np.empty(500, np.uint8) for n in ("status", "flags", "defined", "mode")}
    mu = rng.uniform(0, 1, 500)
    carom.solve_columns(host, law, out=want, e=0.4, mu=mu)
    got = device.solve_columns(columns, law, e=0.4, mu=device.array(mu), ledger=True)
    assert set(got) == set(want)
    for name, array in got.items():
        assert array.numpy().tobytes() == want[name].tobytes(), (law, name)
planar = {n: columns[n] for n in ("K_t11", "K_t1n", "K_nn", "u_t1", "u_n")}
assert set(device.solve_columns(planar, "newton", e=0.4)) == {"p_t1", "p_n", "u_t1", "u_n", "status"}
assert device.name
""")


def test_arrays_go_in_and_out_without_a_copy() -> None:
    on_stand_in("""
want = device.solve_columns(columns, "bilinear", e=0.4, mu=0.3, e_t=0.1)
for speak in (Interface, Packed):
    mine = {n: device.array(np.zeros(500, np.uint8 if n == "status" else float)) for n in want}
    spoken = {n: speak(a) for n, a in mine.items()}
    given = {n: speak(a) for n, a in columns.items()}
    assert device.solve_columns(given, "bilinear", out=spoken, e=0.4, mu=0.3, e_t=0.1) is spoken
    for name in want:  # into the memory of the caller
        assert mine[name].numpy().tobytes() == want[name].numpy().tobytes(), name
    if speak is Packed:  # the producer is told which stream reads
        assert given["u_n"].streams == [1]
capsule = want["p_n"].__dlpack__()
address, rows, kind, contiguous = _core.dlpack_look(capsule)
assert (address, rows, kind, contiguous) == (want["p_n"].__cuda_array_interface__["data"][0], 500, "f8", True)
""")


def test_bad_arrays_are_named() -> None:
    on_stand_in("""
def solve(**changed):
    return lambda: device.solve_columns({**columns, **changed}, "newton", e=0.5)
at = columns["u_n"].__cuda_array_interface__["data"][0]
refused(solve(u_n=host["u_n"]), "u_n", "memory of the device")
refused(solve(u_n=[1.0] * 500), "u_n", "DLPack")
refused(solve(u_n=device.array(u[:40, 2])), "u_n has 40 rows, the others have 500")
refused(solve(u_n=device.array(np.zeros(500, np.uint8))), "u_n", "float64")
refused(solve(u_n=Interface(columns["u_n"], shape=(250,), strides=(16,))), "contiguous")
refused(solve(u_n=Interface(columns["u_n"], data=(at + 4, False))), "aligned")
refused(solve(u_n=Interface(columns["u_n"], data=(12345678, False))), "memory of the device")
refused(solve(u_n=Interface(columns["u_n"], stream=77)), "stream")
refused(solve(mass=columns["u_n"]), "unknown column 'mass'")
refused(lambda: device.solve_columns(columns, "hertz", k=1e6), "no kernels")
refused(lambda: carom.gpu.open(9), "no device 9")
device.close()
refused(solve())
""")


def test_without_a_driver_one_sentence() -> None:
    try:
        carom.gpu.open()
    except carom.Error as error:
        assert str(error)
    else:
        pytest.skip("this machine has a GPU")


# ---- autograd, against finite differences and against libraries that stand in ----


def problem() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    L = rng.uniform(-1, 1, (6, 3, 3))
    return L @ L.transpose(0, 2, 1) + 0.5 * np.eye(3), np.c_[rng.uniform(-2, 2, (6, 2)), rng.uniform(-3, -1, 6)]


class Tensor:
    """As much of torch.Tensor as is needed."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.device, self.grad = np.asarray(array, float), "cpu", None

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> np.ndarray:
        return self.array


class Function:
    """torch.autograd.Function: remembers what was applied."""

    last: "types.SimpleNamespace"

    @classmethod
    def apply(cls, *args: Tensor) -> tuple[Tensor, ...]:
        ctx = types.SimpleNamespace(save_for_backward=lambda *saved: setattr(ctx, "saved_tensors", saved), cls=cls)
        Function.last = ctx
        return cls.forward(ctx, *args)


def loss_and_gradients(monkeypatch: pytest.MonkeyPatch, K: np.ndarray, u: np.ndarray, **own: np.ndarray) -> tuple[float, list[np.ndarray]]:
    torch = types.ModuleType("torch")
    torch.Tensor, torch.autograd = Tensor, types.SimpleNamespace(Function=Function)
    torch.as_tensor = lambda x, device: Tensor(x)
    monkeypatch.setitem(sys.modules, "torch", torch)
    p, v = carom.autograd.torch_impact(Tensor(K), Tensor(u), "routh-stronge", e=0.45, **{n: Tensor(c) for n, c in own.items()})
    weight = np.arange(1.0, 1 + p.array.size).reshape(p.array.shape)
    loss = float((weight * p.array).sum() + (weight**2 * v.array).sum())
    back = Function.last.cls.backward(Function.last, Tensor(weight), Tensor(weight**2))
    return loss, [g.array for g in back]


def test_torch_gradients_are_those_of_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    K, u = problem()
    mu, h = np.full(6, 0.31), 1e-6
    _, (by_K, by_u, by_mu) = loss_and_gradients(monkeypatch, K, u, mu=mu)
    assert by_K.shape == K.shape and by_u.shape == u.shape and by_mu.shape == mu.shape

    def slope(change_K: np.ndarray, change_u: np.ndarray, change_mu: np.ndarray) -> float:
        up, down = (loss_and_gradients(monkeypatch, K + s * h * change_K, u + s * h * change_u, mu=mu + s * h * change_mu)[0] for s in (1, -1))
        return (up - down) / (2 * h)

    rng = np.random.default_rng(11)
    for _ in range(4):
        S = rng.uniform(-1, 1, K.shape)
        S, du, dmu = S + S.transpose(0, 2, 1), rng.uniform(-1, 1, u.shape), rng.uniform(-1, 1, mu.shape)
        want = slope(S, du, dmu)
        assert abs((by_K * S).sum() + (by_u * du).sum() + (by_mu * dmu).sum() - want) < 1e-6 * abs(want) + 1e-6


def test_a_number_for_all_rows_gets_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    K, u = problem()
    _, (_, _, each) = loss_and_gradients(monkeypatch, K, u, mu=np.full(6, 0.31))
    _, (_, _, one) = loss_and_gradients(monkeypatch, K, u, mu=np.array(0.31))
    assert one.shape == () and abs(one - each.sum()) < 1e-12 * np.abs(each).sum()


def test_jax_gradients_are_those_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    K, u = problem()
    mu = np.full(6, 0.31)
    _, want = loss_and_gradients(monkeypatch, K, u, mu=mu)

    class Rule:  # jax.custom_vjp
        def __init__(self, call: object) -> None:
            self.call = call

        def __call__(self, *args: object) -> object:
            return self.call(*args)

        def defvjp(self, forward: object, backward: object) -> None:
            jax.rule = types.SimpleNamespace(forward=forward, backward=backward)

    jax = types.ModuleType("jax")
    jax.custom_vjp, jax.ShapeDtypeStruct = Rule, lambda shape, dtype: np.empty(shape, dtype)

    def callback(call: object, like: object, *args: object) -> object:  # checks the shapes that were promised
        got = call(*args)
        for a, b in zip(leaves(got), leaves(like)):
            assert np.shape(a) == np.shape(b)
        return got

    def leaves(tree: object) -> list[object]:
        parts = tree.values() if isinstance(tree, dict) else tree
        return [leaf for part in parts for leaf in leaves(part)] if isinstance(tree, (tuple, dict)) else [tree]

    def tree_map(change: object, tree: object) -> object:
        if isinstance(tree, dict):
            return {k: tree_map(change, v) for k, v in tree.items()}
        return tuple(tree_map(change, t) for t in tree) if isinstance(tree, tuple) else change(tree)

    jax.pure_callback, jax.tree_util = callback, types.SimpleNamespace(tree_map=tree_map)
    monkeypatch.setitem(sys.modules, "jax", jax)
    impact = carom.autograd.jax_impact("routh-stronge", e=0.45)
    p, _ = impact(K, u, mu=mu)
    assert np.array_equal(p, carom.solve(K, u, "routh-stronge", e=0.45, mu=mu).p)
    weight = np.arange(1.0, 1 + p.size).reshape(p.shape)
    _, kept = jax.rule.forward(K, u, {"mu": mu})
    by_K, by_u, by = jax.rule.backward(kept, (weight, weight**2))
    assert np.array_equal(by_K, want[0]) and np.array_equal(by_u, want[1]) and np.array_equal(by["mu"], want[2])
