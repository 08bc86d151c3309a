"""Confidence sets in the plane: the region in which a quadric is at most a level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Ellipse(NamedTuple):
    """The points centre + axes @ u with |u| <= 1."""

    centre: np.ndarray
    axes: np.ndarray

    def outline(self, n_points: int = 241) -> np.ndarray:
        """Points on the boundary, as rows, the first of them again at the end."""
        angle = np.linspace(0, 2 * np.pi, n_points)
        return self.centre + np.stack([np.cos(angle), np.sin(angle)], axis=1) @ self.axes.T


def ellipse_of(quadric: np.ndarray, level: float) -> Ellipse | None:
    """Where the sum of `quadric` times 1, x, y, x^2, x y, y^2 is at most `level`.

    None where that is no ellipse: empty, unbounded, or no quadric at all.
    """
    one, x, y, xx, xy, yy = quadric
    matrix = np.array([[xx, xy / 2], [xy / 2, yy]])
    if not np.isfinite(quadric).all():
        return None
    if not np.linalg.eigvalsh(matrix)[0] > 1e-9 * abs(matrix).max():
        return None
    slope = np.array([x, y])
    centre = np.linalg.solve(matrix, -slope / 2)
    radius2 = level - (one + slope @ centre / 2)
    if radius2 < 0:
        return None
    return Ellipse(centre, np.sqrt(radius2) * np.linalg.inv(np.linalg.cholesky(matrix)).T)
