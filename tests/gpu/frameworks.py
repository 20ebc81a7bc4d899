"""CuPy, PyTorch and JAX on a GPU: arrays in and out without a copy, bit for bit; gradients by their own checks.

    PYTHONPATH=... python3 tests/gpu/frameworks.py        where a device and the packages are
"""

import time

import numpy as np

import carom
import carom.autograd
import carom.gpu

ROWS = 1 << 20
PLACES = {"K_t11": (0, 0), "K_t12": (0, 1), "K_t22": (1, 1), "K_t1n": (0, 2), "K_t2n": (1, 2), "K_nn": (2, 2)}
rng = np.random.default_rng(5)
L = rng.uniform(-1, 1, (ROWS, 3, 3))
K = L @ L.transpose(0, 2, 1) + 0.5 * np.eye(3)
u = np.c_[rng.uniform(-2, 2, (ROWS, 2)), rng.uniform(-3, 0.2, ROWS)]
host = {n: np.ascontiguousarray(K[:, i, j]) for n, (i, j) in PLACES.items()}
host |= {n: np.ascontiguousarray(u[:, i]) for i, n in enumerate(("u_t1", "u_t2", "u_n"))}
RESULTS = ("p_t1", "p_t2", "p_n", "u_t1", "u_t2", "u_n")
device = carom.gpu.open()
print(device.name)


def wanted(law):
    out = {n: np.empty(ROWS) for n in RESULTS}
    carom.solve_columns(host, law, out=out, e=0.6, mu=0.3)
    return out


def check(what, got, want):
    differ = sum(np.asarray(got[n]).tobytes() != want[n].tobytes() for n in RESULTS)
    print(f"{what:40} {differ} of {len(RESULTS)} columns differ")
    assert not differ


def with_cupy(want, law):
    import cupy

    columns = {n: cupy.asarray(x) for n, x in host.items()}
    out = {n: cupy.empty(ROWS) for n in RESULTS}
    device.solve_columns(columns, law, out=out, e=0.6, mu=0.3)
    check(f"CuPy, {law}", {n: x.get() for n, x in out.items()}, want)
    made = device.solve_columns(columns, law, e=0.6, mu=0.3)
    check("CuPy, results of ours", {n: cupy.from_dlpack(made[n]).get() for n in RESULTS}, want)


def with_torch(want, law):
    import torch

    columns = {n: torch.as_tensor(x, device="cuda") for n, x in host.items()}
    out = {n: torch.empty(ROWS, dtype=torch.float64, device="cuda") for n in RESULTS}
    device.solve_columns(columns, law, out=out, e=0.6, mu=0.3)
    check(f"PyTorch, {law}", {n: x.cpu().numpy() for n, x in out.items()}, want)
    made = device.solve_columns(columns, law, e=0.6, mu=0.3)
    check("PyTorch, results of ours", {n: torch.from_dlpack(made[n]).cpu().numpy() for n in RESULTS}, want)
    begin = time.perf_counter()
    for _ in range(10):
        device.solve_columns(columns, law, out=out, e=0.6, mu=0.3)
    print(f"    {10 * ROWS / (time.perf_counter() - begin) / 1e9:.2f} G impacts/s in calls of a million rows")


def with_jax(want, law):
    import jax

    jax.config.update("jax_enable_x64", True)
    columns = {n: jax.numpy.asarray(x) for n, x in host.items()}
    made = device.solve_columns(columns, law, e=0.6, mu=0.3)
    check(f"JAX, {law}", {n: jax.dlpack.from_dlpack(made[n]) for n in RESULTS}, want)


def gradients():
    import jax
    import torch

    few = slice(0, 6)
    k, v, mu = K[few], np.c_[u[few, :2], -np.abs(u[few, 2]) - 0.5], np.full(6, 0.31)
    tensors = [torch.tensor(x, device="cuda", requires_grad=True) for x in (k, v, mu)]

    def by_torch(a, b, c):
        sym = 0.5 * (a + a.transpose(-1, -2))
        return carom.autograd.torch_impact(sym, b, "routh-stronge", e=0.45, mu=c)

    assert torch.autograd.gradcheck(by_torch, tensors, eps=1e-6, atol=1e-6)
    p, after = by_torch(*tensors)
    (p.sum() + (after**2).sum()).backward()
    impact = carom.autograd.jax_impact("routh-stronge", e=0.45)

    def loss(a, b, c):
        q, w = impact(0.5 * (a + a.transpose(0, 2, 1)), b, mu=c)
        return q.sum() + (w**2).sum()

    got = jax.jit(jax.grad(loss, argnums=(0, 1, 2)))(k, v, mu)
    worst = max(float(np.abs(np.asarray(g) - t.grad.cpu().numpy()).max()) for g, t in zip(got, tensors))
    print(f"gradients: PyTorch's gradcheck passed; jit(grad) of JAX differs from PyTorch by at most {worst:.1e}")
    assert worst < 1e-12


for law in ("chatterjee-momentum", "routh-stronge"):
    want = wanted(law)
    with_cupy(want, law)
    with_torch(want, law)
    with_jax(want, law)
gradients()
