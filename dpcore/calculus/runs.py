"""What a derivation does to data, and to many data at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Protocol, TypeAlias, final, runtime_checkable


class Release(Enum):
    """How the release of a rule is made."""

    BY_RUN = "nothing is known of it but its run"
    NOISED = "independent noise on each coordinate: of n copies of a value side by side it is n releases"
    CHAINED = "each premise on what the one before gave"
    SAME = "that of its premise"
    THEN = "a function of that of its premise"
    TOGETHER = "a tuple of those of its premises, on the same data"
    BY_PART = "a dict by key: for each part of the data that of its premise"
    JOINTLY = "a tuple: of each pair of premises, the second on what the first gave"
    IN_STAGES = "a tuple, each entry of a measurement that was chosen by those before it"


Run: TypeAlias = Callable[[object], object]

OfEach: TypeAlias = Callable[..., Sequence[object]]
"""What a run does to each of several data, all at once: in its place, with the same parameters."""


@runtime_checkable
class LooksAhead(Protocol):
    """Data that may answer at once what several releases will ask."""

    def look_ahead(self, releases: Sequence[Run]) -> None: ...


@final
class Applied:
    """The run of a rule, with its parameters and the runs of its premises."""

    __slots__ = ("_function", "_inner", "_named", "_of_each", "_release")

    def __init__(
        self,
        function: Callable[..., object],
        inner: Sequence[Run],
        named: Mapping[str, object],
        release: Release,
        of_each: OfEach | None,
    ) -> None:
        self._function, self._inner, self._named, self._release = function, inner, named, release
        self._of_each = of_each

    def __call__(self, data: object) -> object:
        if self._release is Release.TOGETHER and isinstance(data, LooksAhead):
            data.look_ahead(self._inner)
        return self._function(data, *self._inner, **self._named)

    def on_each(self, data: Sequence[object]) -> Sequence[object]:
        """A release of each, independent of one another: `[self(each) for each in data]`, but at once where it can be done.

        The distribution is the same. Noise on a coordinate is drawn apart from its value and from all other noise, so
        the coordinates of all data side by side get what the coordinates of each would get; and what is made of
        releases is made of each by itself.
        """
        if self._of_each is not None:
            return self._of_each(data, **self._named)
        match self._release:
            case Release.NOISED:
                return self._noised(data)
            case Release.CHAINED:
                for link in self._inner:
                    data = on_each(link, data)
                return data
            case Release.SAME | Release.THEN | Release.TOGETHER:
                if self._release is Release.TOGETHER and data and isinstance(data[0], LooksAhead):
                    data[0].look_ahead(self._inner)  # what all others are asked, too
                released = zip(*(on_each(premise, data) for premise in self._inner), strict=True)
                return [
                    self._function(each, *map(_giving, its), **self._named)
                    for each, its in zip(data, released, strict=True)
                ]
        return list(map(self, data))

    def _noised(self, data: Sequence[object]) -> Sequence[object]:
        if set(map(type, data)) <= {int, Fraction}:
            noisy = self(list(data))
            assert isinstance(noisy, list)
            return noisy
        sizes = [len(each) if isinstance(each, list) else None for each in data]
        values = [value for each in data for value in (each if isinstance(each, list) else (each,))]
        if not all(isinstance(value, (int, Fraction)) for value in values):
            return list(map(self, data))
        noisy = self(values)
        assert isinstance(noisy, list)
        left = iter(noisy)
        return [next(left) if size is None else [next(left) for _ in range(size)] for size in sizes]


def on_each(run: Run, data: Sequence[object]) -> Sequence[object]:
    """The run on each of several data, whose releases are independent."""
    return run.on_each(data) if isinstance(run, Applied) else list(map(run, data))


def _giving(released: object) -> Run:
    """The run of a premise that was run before."""
    return lambda data: released


def unchanged(data: object) -> object:
    """The run of a rule that only measures the same data otherwise."""
    return data
