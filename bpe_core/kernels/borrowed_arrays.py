"""Arrays whose references are not counted, for kernels that pass many of them to other kernels."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

Arrays = TypeVar("Arrays", bound=tuple[Any, ...])


class Uncounted:
    """A function for kernels: the same named tuple of arrays, whose references Numba does not count.

    Numba counts references to each array at each call that takes it, by atomic additions: half of the time of a kernel
    that passes twenty arrays to small functions. The caller of the kernel keeps the arrays alive until it returns, so
    counting is unnecessary. The kernel must neither return nor store them.

    >>> uncounted((1, 2))
    (1, 2)
    """

    def __call__(self, arrays: Arrays) -> Arrays:
        return arrays

    @cached_property
    def _numba_type_(self) -> Any:
        """Numba's type of this object in the code of kernels."""
        from numba.core import cgutils, types
        from numba.core.typing.templates import make_intrinsic_template
        from numba.np.arrayobj import make_array

        def of_arrays(_context: Any, arrays: Any) -> Any:
            def generate(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
                made = given[0]
                for i, each in enumerate(arrays.types):
                    array = make_array(each)(context, builder, builder.extract_value(made, i))
                    array.meminfo = cgutils.get_null_value(array.meminfo.type)
                    array.parent = cgutils.get_null_value(array.parent.type)
                    made = builder.insert_value(made, array._getvalue(), i)
                return made

            return arrays(arrays), generate

        return types.Function(make_intrinsic_template(self, of_arrays, "uncounted"))


uncounted = Uncounted()
