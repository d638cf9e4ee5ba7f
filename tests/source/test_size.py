"""No function of dpcore is too long or too branched to be read at once, and few types are asserted."""

from __future__ import annotations

from tests.source.syntax import casts, files, functions

LONGEST = 40
BRANCHED = 15

MOST_BRANCHED = 7
"""So many functions may have more than `BRANCHED` decisions. To be lowered, never raised."""

CASTS = 21
"""So many casts may stand outside the doors. To be lowered, never raised; CONTRIBUTING says what each kind is for."""

DOORS = ("dpcore/maps/",)
"""Where what an untyped library returns is given its type."""


def test_no_body_is_too_long() -> None:
    everywhere = [each for path, source in files().items() for each in functions(source, path)]
    assert {each.place: each.lines for each in everywhere if each.lines > LONGEST} == {}


def test_few_functions_have_many_branches() -> None:
    everywhere = [each for path, source in files().items() for each in functions(source, path)]
    branched = sorted(each.place for each in everywhere if each.decisions > BRANCHED)
    assert len(branched) <= MOST_BRANCHED, branched


def test_casts_do_not_grow_in_number() -> None:
    counts = {path: casts(source) for path, source in files().items() if not path.startswith(DOORS)}
    assert sum(counts.values()) <= CASTS, {path: count for path, count in counts.items() if count}


def test_what_is_counted() -> None:
    source = '''
def f(x):
    """Says
    what."""
    if x and x > 1:
        return [y for y in x if y]

    return cast(int, x)
'''
    [f] = functions(source, "here")
    assert (f.place, f.lines, f.decisions, casts(source)) == ("here:2 f", 4, 5, 1)
