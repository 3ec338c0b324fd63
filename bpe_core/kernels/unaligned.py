"""Loads of eight bytes at any place of an array, for kernels: one instruction, where shifts of two numbers take six."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from bpe_core.arrays import Bytes


class EightBytes:
    """A function for kernels: the eight bytes of an array that begin at a place, as a number in the machine's order.

    The place is not checked: all eight bytes must be in the memory of the array, or of the array that it views.

    >>> import numpy as np
    >>> eight_bytes(np.frombuffer(b"a" + bytes(8), np.uint8), 0)
    97
    """

    def __call__(self, array: Bytes, at: Any) -> Any:
        return int.from_bytes(array[at : at + 8].tobytes(), "little")

    @cached_property
    def _numba_type_(self) -> Any:
        """Numba's type of this object in the code of kernels."""
        from numba.core import types
        from numba.core.typing.templates import make_intrinsic_template
        from numba.np.arrayobj import make_array

        def of_array(_context: Any, array: Any, _at: Any) -> Any:
            def generate(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
                data = make_array(array)(context, builder, given[0]).data
                number = context.get_value_type(types.uint64).as_pointer()
                loaded = builder.load(builder.bitcast(builder.gep(data, [given[1]]), number))
                loaded.align = 1
                return loaded

            return types.uint64(array, types.int64), generate

        return types.Function(make_intrinsic_template(self, of_array, "eight_bytes"))


eight_bytes = EightBytes()
