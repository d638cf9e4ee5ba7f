"""A toy rule, and where it is written: the steps of CONTRIBUTING's "A new rule or arrow", as a list that can be followed.

The toy counts every row twice. What a step inserts stands before the first line that begins with its anchor; a step
without an anchor is a new file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

MODULE: Final = "dpcore.transformations.count_twice"
NAME: Final = "count_twice"
RULE: Final = "count_twice_symmetric"

FILE: Final = '''"""The number of rows, each counted twice. One row added or removed moves it by two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, final

from dpcore.core.spaces import row_domain
from dpcore.core import Space, Transformation
from dpcore.calculus import rule
from dpcore.domains import Domain, Integers, Rows
from dpcore.engines import Table
from dpcore.maps import Number
from dpcore.metrics import AbsoluteDistance, RowMetric
from dpcore.core.steps import Step
from dpcore.core.arrows import aggregated
from dpcore.transformations.count import count_change_one

D = TypeVar("D", bound=Domain)
M = TypeVar("M", bound=RowMetric)


def _twice(table: Table) -> int:
    return 2 * table.count()


@rule(run=_twice, writes=())
def count_twice_symmetric(d: Number) -> Number:
    """`| 2|x| - 2|y| | <= 2d`: each row added or removed moves the number by two."""
    return 2 * d


@final
@dataclass(frozen=True, slots=True, repr=False)
class CountTwice(Step):
    """See `count_twice`."""

    word = "count_twice"

    def __call__(self, space: Space[Rows[D], M]) -> Transformation[Rows[D], M, Integers, AbsoluteDistance]:
        row_domain(self, space)
        output = Space(Integers(0), AbsoluteDistance())
        return aggregated(self, space, output, {}, symmetric=count_twice_symmetric, change_one=count_change_one)


def count_twice() -> CountTwice:
    """The number of rows, each counted twice."""
    return CountTwice()
'''

LISTED: Final = f"""[{RULE}]
statement = "`| 2|x| - 2|y| | <= 2d`: each row added or removed moves the number by two."
source = "a toy"
coq = ""
checker = "counted"

"""


@final
@dataclass(frozen=True, slots=True)
class Step:
    """One thing to write."""

    file: str
    text: str
    anchor: str | None = None

    def take(self, root: Path) -> None:
        path = root / self.file
        if self.anchor is None:
            assert not path.exists(), self.file
            path.write_text(self.text, encoding="utf-8")
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if line.startswith(self.anchor))
        path.write_text("".join([*lines[:at], self.text, *lines[at:]]), encoding="utf-8")


STEPS: Final = (
    # 2. The file itself.
    Step("dpcore/transformations/count_twice.py", FILE),
    # 5. The facade.
    Step(
        "dpcore/__init__.pyi",
        f"from {MODULE} import {NAME} as {NAME}\n",
        "from dpcore.transformations.drop_nulls import",
    ),
    # 5. An example, on which all laws are tried.
    Step(
        "tests/laws/examples/numbers.py",
        f'    Example("{NAME}", lambda: dp.rows(AB) >> dp.{NAME}(), ("a", "b")),\n',
        '    Example("count, change one"',
    ),
    # 6. Certificates: the checker, the list of rules.
    Step(
        "proofs/check_certificate.py",
        f'    "{RULE}": (S, (ABSOLUTE,), "", counted, twice),\n',
        '    "resize_symmetric":',
    ),
    Step("proofs/check_certificate.py", f'ASSUMED["{RULE}"] = "a toy"\n', "KEYED = "),
    Step("proofs/RULES.toml", LISTED, "[degree_histogram_edge]"),
)

GENERATED: Final = (
    ("proofs/render_rules.py",),
    ("tools/names.py",),
    ("-m", "dpcore.certificates.schema"),
    (
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-o",
        "python_files=claimed_and_true.py",
        "-o",
        "python_functions=write",
        "tests/laws",
    ),
)
"""What is generated anew, by Python with these arguments."""
