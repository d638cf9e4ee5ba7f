"""Differential privacy whose bound can be read.

    import dpcore as dp

    ages = dp.rows(dp.integers())
    total = ages >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)

    total.map                      # the bound as a formula: d_in
    total.loss(d_in=1)             # PureDP: epsilon = 1, exactly
    total.release([23, 45, 67])    # a number with noise

A space, then steps: transformations, which say how far apart their outputs can be, then a measurement, which says what
its release costs.
"""

from _ast import ImportFrom, Module, PyCF_ONLY_AST
from importlib import import_module


def _groups() -> dict[str, dict[str, str]]:
    """The sections of `__init__.pyi`, the one list of what dpcore exports: titles, and where each name lies."""
    path = f"{__file__}i"
    with open(path, encoding="utf-8") as stub:
        sections = [section.partition("\n") for section in stub.read().split("\n# ---- ")[1:]]
    return {title: _imported(code, path) for title, _, code in sections}


def _imported(code: str, path: str) -> dict[str, str]:
    tree = compile(code, path, "exec", PyCF_ONLY_AST)
    assert isinstance(tree, Module)
    imports = [node for node in tree.body if isinstance(node, ImportFrom)]
    return {alias.name: node.module for node in imports if node.module for alias in node.names}


# Each is imported when it is first asked for, so that `import dpcore` costs next to nothing.
_GROUPS = _groups()
_MOVED = _GROUPS.popitem()[1]
_EXPORTED = {name: module for names in _GROUPS.values() for name, module in names.items()}
__all__ = sorted(_EXPORTED)
if __doc__ is not None:
    __doc__ += "\nNames, by what they are for\n"
    __doc__ += "".join(f"\n{title}\n    {', '.join(names)}\n" for title, names in _GROUPS.items())


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("dpcore")
    if name in _MOVED:
        import warnings

        now = f"{_MOVED[name]}.{name}"
        warnings.warn(f"dpcore.{name} is now {now}; this name goes with the next release", DeprecationWarning, 2)
        return getattr(import_module(_MOVED[name]), name)
    if name not in _EXPORTED:
        from dpcore.errors import not_found

        raise not_found(name)
    module = _EXPORTED[name]
    value: object = import_module(f"dpcore.{name}") if module == "dpcore" else getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
