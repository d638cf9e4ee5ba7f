"""Domains: the sets that data live in. A domain decides membership and inclusion, nothing else.

`member(x)` says whether, `offence(x)` says where not ("row 3, field 'age'"), and neither ever repeats the value.
`canonical(x)` is the one form in which the same member is computed with: a grid number becomes a `Fraction`.
"""

from dpcore.domains.bridges import bridge_for as bridge_for
from dpcore.domains.constructors import booleans as booleans
from dpcore.domains.constructors import categories as categories
from dpcore.domains.constructors import date as date
from dpcore.domains.constructors import graphs as graphs
from dpcore.domains.constructors import integers as integers
from dpcore.domains.constructors import listed as listed
from dpcore.domains.constructors import numbers as numbers
from dpcore.domains.constructors import optional as optional
from dpcore.domains.constructors import text as text
from dpcore.domains.constructors import vector as vector
from dpcore.domains.domain import FEW as FEW
from dpcore.domains.domain import Array as Array
from dpcore.domains.domain import Domain as Domain
from dpcore.domains.domain import Gives as Gives
from dpcore.domains.domain import IntArray as IntArray
from dpcore.domains.domain import Norm as Norm
from dpcore.domains.domain import Normed as Normed
from dpcore.domains.domain import Takes as Takes
from dpcore.domains.domain import a_domain as a_domain
from dpcore.domains.instances import by_name as by_name
from dpcore.domains.keys import Key as Key
from dpcore.domains.keys import clashing as clashing
from dpcore.domains.keys import different as different
from dpcore.domains.keys import key as key
from dpcore.domains.keys import value_of as value_of
from dpcore.domains.missing import is_missing as is_missing
from dpcore.domains.numeric import raised as raised
from dpcore.domains.numeric import raised_norm as raised_norm
from dpcore.domains.numeric import real as real
from dpcore.domains.numeric import unwrapped as unwrapped
from dpcore.domains.records import record as record
from dpcore.domains.structures import Graphs as Graphs
from dpcore.domains.structures import Optional as Optional
from dpcore.domains.structures import Parts as Parts
from dpcore.domains.structures import Record as Record
from dpcore.domains.structures import Rows as Rows
from dpcore.domains.structures import Vector as Vector
from dpcore.domains.structures import norm_bound as norm_bound
from dpcore.domains.typed import Constant as Constant
from dpcore.domains.typed import as_decimal as as_decimal
from dpcore.domains.typed import as_typed as as_typed
from dpcore.domains.typed import plainly as plainly
from dpcore.domains.values import Booleans as Booleans
from dpcore.domains.values import Categories as Categories
from dpcore.domains.values import Dates as Dates
from dpcore.domains.values import Integers as Integers
from dpcore.domains.values import NumberDomain as NumberDomain
from dpcore.domains.values import Numbers as Numbers
from dpcore.domains.values import Text as Text
from dpcore.domains.values import on_a_grid as on_a_grid
