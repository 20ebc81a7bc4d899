"""Impacts inside PyTorch and JAX: impulse and rebound with the derivatives of this library.

    p, u_after = carom.autograd.torch_impact(K, u, "routh-stronge", e=e, mu=0.3)     # tensors, K (..., 3, 3), u (..., 3)
    impact = carom.autograd.jax_impact("routh-stronge", e=0.5)                       # a function of (K, u, mu)
    p, u_after = impact(K, u, mu=mu)

Coefficients that are tensors, or given to the function of JAX, are differentiated as well. Derivatives are those of
``carom.derivatives``, exact along the branch that the law takes; they are computed by the processors, wherever the tensors are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._measure import derivatives
from ._solve import solve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["jax_impact", "torch_impact"]


def _forward(K: Any, u: Any, law: str, settings: dict[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    out = solve(K, u, law, **settings)
    import numpy as np

    return np.asarray(out.p), np.asarray(out.u_after)


def _matrix(by_K: NDArray[np.float64], dim: int) -> NDArray[np.float64]:
    """A gradient by t11, t12, ... as a matrix: an entry off the diagonal moves both places, and each has half of it."""
    import numpy as np

    places = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)] if dim == 3 else [(0, 0), (0, 1), (1, 1)]
    g = np.zeros((*by_K.shape[:-1], dim, dim))
    for k, (i, j) in enumerate(places):
        g[..., i, j] += 0.5 * by_K[..., k]
        g[..., j, i] += 0.5 * by_K[..., k]
    return g


def _summed_to(x: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The gradient of an argument that was broadcast."""
    import numpy as np

    x = x.sum(axis=tuple(range(x.ndim - len(shape))))
    wide = tuple(i for i, n in enumerate(shape) if n == 1 and x.shape[i] != 1)
    return np.asarray(x.sum(axis=wide, keepdims=True)).reshape(shape)


def _backward(K: Any, u: Any, law: str, settings: dict[str, Any], g_p: Any, g_u: Any, names: list[str]) -> list[Any]:
    """Gradients by K, u and the named coefficients, from those by p and u_after."""
    import numpy as np

    d, dim = derivatives(K, u, law, **settings), np.shape(u)[-1]
    g_p, g_u = np.asarray(g_p), np.asarray(g_u)

    def pull(by_p: Any, by_u: Any, letters: str) -> NDArray[np.float64]:
        total: NDArray[np.float64] = np.einsum(letters, g_p, by_p) + np.einsum(letters, g_u, by_u)
        return total

    by_K = _matrix(pull(d.p_K, d.u_after_K, "...i,...ij->...j"), dim)
    found = [_summed_to(by_K, np.shape(K)), _summed_to(pull(d.p_u, d.u_after_u, "...i,...ij->...j"), np.shape(u))]
    for name in names:
        by = pull(d.p_coefficients[name], d.u_after_coefficients[name], "...i,...i->...")
        found.append(_summed_to(by, np.shape(settings[name])))
    return found


def torch_impact(K: Any, u: Any, law: str = "routh-stronge", **coefficients: Any) -> tuple[Any, Any]:
    """Impulse and rebound as tensors that know their gradients."""
    import torch

    names = [n for n, v in coefficients.items() if isinstance(v, torch.Tensor)]
    plain = {n: v for n, v in coefficients.items() if n not in names}

    def to_numpy(x: Any) -> Any:
        return x.detach().cpu().numpy()

    class Impact(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            ctx.save_for_backward(*args)
            k, v, *own = (to_numpy(x) for x in args)
            return tuple(torch.as_tensor(x, device=args[1].device) for x in _forward(k, v, law, {**plain, **dict(zip(names, own))}))

        @staticmethod
        def backward(ctx: Any, g_p: Any, g_u: Any) -> Any:
            k, v, *own = (to_numpy(x) for x in ctx.saved_tensors)
            found = _backward(k, v, law, {**plain, **dict(zip(names, own))}, to_numpy(g_p), to_numpy(g_u), names)
            return tuple(torch.as_tensor(x, device=g_p.device) for x in found)

    got: tuple[Any, Any] = Impact.apply(K, u, *(coefficients[n] for n in names))
    return got


def jax_impact(law: str = "routh-stronge", **fixed: Any) -> Callable[..., tuple[Any, Any]]:
    """A function of K, u and coefficients by name, under ``jit`` and ``grad``; ``fixed`` are the coefficients that stay.

    JAX computes in float64 only after ``jax.config.update("jax_enable_x64", True)``.
    """
    import functools

    import jax
    import numpy as np

    def shapes(K: Any, u: Any, own: dict[str, Any]) -> Any:
        rows = np.broadcast_shapes(K.shape[:-2], u.shape[:-1], *(np.shape(c) for c in own.values()))
        one = jax.ShapeDtypeStruct((*rows, u.shape[-1]), np.float64)
        return one, one

    def as_numpy(own: dict[str, Any]) -> dict[str, Any]:
        return {n: np.asarray(c) for n, c in own.items()}

    @jax.custom_vjp  # type: ignore[misc]
    def impact(K: Any, u: Any, own: dict[str, Any]) -> Any:
        def solve_there(k: Any, v: Any, c: dict[str, Any]) -> Any:
            return _forward(np.asarray(k), np.asarray(v), law, {**fixed, **as_numpy(c)})

        return jax.pure_callback(solve_there, shapes(K, u, own), K, u, own)

    def forward(K: Any, u: Any, own: dict[str, Any]) -> Any:
        return impact(K, u, own), (K, u, own)

    def backward(kept: Any, g: Any) -> Any:
        K, u, own = kept

        def pull(k: Any, v: Any, c: dict[str, Any], g_p: Any, g_u: Any) -> Any:
            names = sorted(c)
            got = _backward(np.asarray(k), np.asarray(v), law, {**fixed, **as_numpy(c)}, g_p, g_u, names)
            return got[0], got[1], dict(zip(names, got[2:]))

        like = functools.partial(jax.tree_util.tree_map, lambda x: jax.ShapeDtypeStruct(np.shape(x), np.float64))
        return jax.pure_callback(pull, like((K, u, own)), K, u, own, *g)

    impact.defvjp(forward, backward)

    def call(K: Any, u: Any, **own: Any) -> tuple[Any, Any]:
        got: tuple[Any, Any] = impact(K, u, own)
        return got

    return call
