"""Argument checks with one-sentence error messages.

Each message names the argument, the allowed values and the value that was passed. Values of the
wrong type raise TypeError, and values out of range raise ValueError.
"""

import math
import operator
from collections.abc import Iterable
from numbers import Real
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

T = TypeVar("T", str, int)

LARGEST_ARRAY = 2**30
"""Maximum number of values in an array, which is 8 GiB of float64."""


def whole_number(name: str, value: int, *, lowest: int = 1) -> int:
    """Check that a value is an integer of at least ``lowest``, and return it as an int."""
    refusal = f"{name} must be a whole number of at least {lowest}; got {quoted(value)}."
    if isinstance(value, (bool, np.ndarray)):
        raise TypeError(refusal)
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(refusal) from None
    if number < lowest:
        raise ValueError(refusal)
    return number


def finite_number(name: str, value: float, *, above: float = -math.inf) -> float:
    """Check that a value is finite and greater than ``above``, and return it as a float."""
    limit = f" above {above}" if above > -math.inf else ""
    refusal = f"{name} must be a finite number{limit}; got {quoted(value)}."
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(refusal)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not above < number < math.inf:
        raise ValueError(refusal)
    return number


def one_of(name: str, value: T, allowed: Iterable[T]) -> T:
    """Check that a value is one of the allowed names or integers, and return it."""
    allowed = tuple(allowed)
    if not isinstance(value, type(allowed[0])) or value not in allowed:
        raise ValueError(
            f"{name} must be one of {', '.join(map(str, allowed))}; got {quoted(value)}."
        )
    return value


def real_array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Convert values to a float64 array, which may contain infinity and NaN."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise TypeError(
            f"{name} must hold real numbers in a regular shape; got {quoted(values)}."
        ) from None
    if array.size and array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers; got {quoted(values)}.")
    with np.errstate(over="ignore"):
        return array.astype(np.float64)


def finite_array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Convert values to a float64 array of finite numbers."""
    array = real_array(name, values)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must hold finite numbers only; got {quoted(values)}.")
    return array


def shaped_array(name: str, values: ArrayLike, *sizes: int | str) -> NDArray[np.float64]:
    """Return the values as a float64 array of finite numbers with the given shape.

    A size that is given as a name matches any positive size.
    """
    array = finite_array(name, values)
    if array.ndim != len(sizes) or not all(
        given == size or (isinstance(size, str) and given > 0)
        for given, size in zip(array.shape, sizes, strict=True)
    ):
        shape = ", ".join(map(str, sizes)) + ("," if len(sizes) == 1 else "")
        raise ValueError(
            f"{name} must have the shape ({shape}) and not be empty; got shape {array.shape}."
        )
    return array


def refuse_oversize(product: str, *sizes: int) -> None:
    """Reject arrays that are too large for memory.

    ``product`` names the sizes for the error message, as in ``"rows x columns"``.
    """
    if math.prod(sizes) > LARGEST_ARRAY:
        raise ValueError(
            f"{product} = {' x '.join(map(quoted, sizes))} is too large for memory; an array may "
            f"hold at most 2**30 = {LARGEST_ARRAY} numbers."
        )


def table_shape(n_positions: int, d_model: int) -> tuple[int, int]:
    """Check that a table is not too large for memory, and return its shape."""
    n_positions = whole_number("n_positions", n_positions)
    d_model = whole_number("d_model", d_model)
    refuse_oversize("n_positions x d_model", n_positions, d_model)
    return n_positions, d_model


def float_dtype(dtype: DTypeLike) -> np.dtype:
    """Check that a dtype is float16, float32 or float64, and return it."""
    try:
        chosen = None if dtype is None else np.dtype(dtype)  # NumPy interprets None as float64.
    except (TypeError, ValueError):
        chosen = None
    floats = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
    if chosen is None or chosen not in floats:
        raise TypeError(f"dtype must be float16, float32 or float64; got {quoted(dtype)}.")
    return chosen


def empty_table(n_positions: int, d_model: int, dtype: DTypeLike = np.float64) -> NDArray:
    """Allocate an uninitialised table.

    Raises:
        ValueError: If there is not enough memory.
    """
    try:
        return np.empty((n_positions, d_model), dtype)
    except MemoryError:
        raise ValueError(
            f"n_positions x d_model = {n_positions} x {d_model} does not fit in the memory of "
            "this computer; choose a smaller table."
        ) from None


def quoted(value: object) -> str:
    """Return a short, one-line representation of a value for an error message."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
