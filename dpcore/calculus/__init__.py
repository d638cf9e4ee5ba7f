"""The calculus: rules, the derivations that apply them, and the parameters that a certificate writes of each.

Whoever states a rule takes `rule` from here, whoever folds over a derivation (maps, runs, certificates) the rest. It
knows neither data nor metrics: only numbers, and how premises are read.
"""

from dpcore.calculus.derivation import RULES as RULES
from dpcore.calculus.derivation import Asked as Asked
from dpcore.calculus.derivation import Assumes as Assumes
from dpcore.calculus.derivation import Curve as Curve
from dpcore.calculus.derivation import Derivation as Derivation
from dpcore.calculus.derivation import Followed as Followed
from dpcore.calculus.derivation import Parameters as Parameters
from dpcore.calculus.derivation import Premises as Premises
from dpcore.calculus.derivation import Raw as Raw
from dpcore.calculus.derivation import Reading as Reading
from dpcore.calculus.derivation import Rule as Rule
from dpcore.calculus.derivation import Witness as Witness
from dpcore.calculus.derivation import by_identity as by_identity
from dpcore.calculus.derivation import chain as chain
from dpcore.calculus.derivation import curve_in as curve_in
from dpcore.calculus.derivation import free_in as free_in
from dpcore.calculus.derivation import keywords as keywords
from dpcore.calculus.derivation import number_in as number_in
from dpcore.calculus.derivation import pair_in as pair_in
from dpcore.calculus.derivation import rule as rule
from dpcore.calculus.runs import Prepared as Prepared
from dpcore.calculus.runs import Release as Release
from dpcore.calculus.runs import Run as Run
from dpcore.calculus.runs import on_each as on_each
from dpcore.calculus.runs import unchanged as unchanged
