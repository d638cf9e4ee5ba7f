"""What dpcore exports, by what it is for: the one list. Type checkers read it, and `__init__.py` where each name lies.

The sections are the groups of names that `help(dpcore)` and `docs/names.md` show.
"""

__version__: str

# ---- Spaces: where a pipeline starts

from dpcore.core.spaces import (
    rows as rows,
    value as value,
)

# ---- Domains: what data are

from dpcore.domains import (
    booleans as booleans,
    categories as categories,
    date as date,
    graphs as graphs,
    integers as integers,
    numbers as numbers,
    optional as optional,
    record as record,
    text as text,
    vector as vector,
)

# ---- Metrics: how far apart data are

from dpcore.metrics import (
    AbsoluteDistance as AbsoluteDistance,
    ChangeOneDistance as ChangeOneDistance,
    DiscreteDistance as DiscreteDistance,
    EdgeDistance as EdgeDistance,
    L1Distance as L1Distance,
    L2Distance as L2Distance,
    LInfDistance as LInfDistance,
    NodeDistance as NodeDistance,
    PersonDistance as PersonDistance,
    RangeDistance as RangeDistance,
    SymmetricDistance as SymmetricDistance,
    granularity as granularity,
)

# ---- Measures and losses: what a release costs

from dpcore.measures.losses import budget as budget
from dpcore.measures.losses import (
    approx as approx,
    gaussian_dp as gaussian_dp,
    pure as pure,
    renyi as renyi,
    total_variation as total_variation,
    zcdp as zcdp,
)
from dpcore.measures import (
    ZCDP as ZCDP,
    ApproxDP as ApproxDP,
    ApproxZCDP as ApproxZCDP,
    GaussianDP as GaussianDP,
    Profile as Profile,
    PureDP as PureDP,
    RenyiDP as RenyiDP,
    TotalVariation as TotalVariation,
    Tradeoff as Tradeoff,
)

# ---- Symbols: numbers left open

from dpcore.maps import symbol as symbol

# ---- Row expressions: what is computed of one row

from dpcore.expressions import (
    day as day,
    field as field,
    literal as literal,
    maximum as maximum,
    minimum as minimum,
    ratio as ratio,
    row as row,
    when as when,
)

# ---- Transformations: from data to data

from dpcore.transformations.absolute_errors import absolute_errors as absolute_errors
from dpcore.transformations.bound_contributions import (
    bound_contributions as bound_contributions,
    first_by as first_by,
)
from dpcore.transformations.claimed import transformation as transformation
from dpcore.transformations.clip_norm import clip_norm as clip_norm
from dpcore.transformations.count import count as count
from dpcore.transformations.drop_nulls import drop_nulls as drop_nulls
from dpcore.transformations.filter import filter as filter
from dpcore.transformations.flat_map import flat_map as flat_map
from dpcore.transformations.graph_queries import (
    degree_histogram as degree_histogram,
    edge_count as edge_count,
    triangles as triangles,
)
from dpcore.transformations.histogram import histogram as histogram
from dpcore.transformations.linear_queries import linear_queries as linear_queries
from dpcore.transformations.marginal_errors import marginal_errors as marginal_errors
from dpcore.transformations.partition import partition as partition
from dpcore.transformations.quantile_scores import quantile_scores as quantile_scores
from dpcore.transformations.resize import resize as resize
from dpcore.transformations.row_map import (
    clamp as clamp,
    quantize as quantize,
    row_map as row_map,
    select as select,
)
from dpcore.transformations.sum import sum as sum
from dpcore.transformations.to_metric import to_metric as to_metric

# ---- Measurements: from data to a release with noise

from dpcore.measurements.above_threshold import above_threshold as above_threshold
from dpcore.measurements.claimed import measurement as measurement
from dpcore.measurements.gaussian import gaussian as gaussian
from dpcore.measurements.hadamard_response import hadamard_response as hadamard_response
from dpcore.measurements.laplace import laplace as laplace
from dpcore.measurements.published_rows import (
    name_and_shame as name_and_shame,
    random_row as random_row,
)
from dpcore.measurements.random_rounding import random_rounding as random_rounding
from dpcore.measurements.randomized_response import randomized_response as randomized_response
from dpcore.measurements.selection import (
    exponential as exponential,
    permute_and_flip as permute_and_flip,
)
from dpcore.measurements.threshold_release import threshold_release as threshold_release
from dpcore.measurements.unary_encoding import unary_encoding as unary_encoding
from dpcore.measurements.uniform_noise import uniform_noise as uniform_noise

# ---- Combinators: measurements made of measurements

from dpcore.combinators.adaptive import adaptive as adaptive
from dpcore.combinators.advanced import (
    compose_advanced as compose_advanced,
    compose_optimal as compose_optimal,
)
from dpcore.combinators.depends_on import depends_on as depends_on
from dpcore.combinators.general import (
    after as after,
    compose_jointly as compose_jointly,
)
from dpcore.combinators.group import group_privacy as group_privacy
from dpcore.combinators.locally import locally as locally
from dpcore.combinators.parallel import parallel as parallel
from dpcore.combinators.shuffled import shuffled as shuffled
from dpcore.combinators.compose import compose as compose

# ---- Learning: models fitted in rounds

from dpcore.learning.descent import descend as descend
from dpcore.learning.lloyd import lloyd as lloyd

# ---- Synthetic data: many queries from one noise

from dpcore.many.marginals import marginals as marginals
from dpcore.many.mwem import mwem as mwem
from dpcore.many.pmw import pmw as pmw
from dpcore.many.synthesize import synthesize as synthesize

# ---- Planning, before there are data: what questions may cost within one budget, and how far off they will be

from dpcore.pictures.comparison import compare as compare
from dpcore.planning import plan as plan

# ---- Interaction: questions one after another, and the account of them

from dpcore.interaction.interactive import (
    concurrently as concurrently,
    curator as curator,
    interactive as interactive,
    odometer as odometer,
    view as view,
)

# ---- Certificates: the derivation as data, to be checked by others

from dpcore.certificates.certificate import certify as certify

# ---- Beliefs: what somebody who sees a release comes to believe

from dpcore.posteriors import (
    beliefs as beliefs,
    posterior as posterior,
)

# ---- Assurance: what checks a claim by running it

from dpcore import assurance as assurance

# ---- Attacks: what is done to releases, to be seen to fail

from dpcore import attacks as attacks

# ---- Errors: what is refused, and why; `errors` holds the kinds

from dpcore import errors as errors

# ---- Types: the classes of what is returned, for annotations and isinstance

from dpcore import types as types

# ---- Moved: names that work for one release more, with a warning that says where they are now

from dpcore.errors import (
    BudgetExceeded as BudgetExceeded,
    DPError as DPError,
    DomainMismatch as DomainMismatch,
    FreeSymbols as FreeSymbols,
    InvalidData as InvalidData,
    InvalidDistance as InvalidDistance,
    InvalidExpression as InvalidExpression,
    InvalidParameter as InvalidParameter,
    MeasureMismatch as MeasureMismatch,
    MetricMismatch as MetricMismatch,
    Mismatch as Mismatch,
    MissingExtra as MissingExtra,
    NoConversion as NoConversion,
    NoDistribution as NoDistribution,
    NoFiniteLoss as NoFiniteLoss,
    NotCertifiable as NotCertifiable,
    Undecided as Undecided,
    UserFunctionFailed as UserFunctionFailed,
    Vacuous as Vacuous,
)
from dpcore.expressions import expression_from as expression_from
from dpcore.planning import inverse_advanced as inverse_advanced
from dpcore.types import (
    ApproxLoss as ApproxLoss,
    Booleans as Booleans,
    Bound as Bound,
    Categories as Categories,
    Certificate as Certificate,
    Dates as Dates,
    Distribution as Distribution,
    Domain as Domain,
    Expr as Expr,
    GaussianLoss as GaussianLoss,
    Granularity as Granularity,
    Graphs as Graphs,
    Integers as Integers,
    Loss as Loss,
    Measure as Measure,
    Measurement as Measurement,
    Metric as Metric,
    Numbers as Numbers,
    Optional as Optional,
    PartDistance as PartDistance,
    Parts as Parts,
    ProfileLoss as ProfileLoss,
    PureLoss as PureLoss,
    Record as Record,
    RenyiLoss as RenyiLoss,
    Rows as Rows,
    Space as Space,
    Text as Text,
    TotalVariationLoss as TotalVariationLoss,
    TradeoffLoss as TradeoffLoss,
    Transformation as Transformation,
    Vector as Vector,
    ZCDPLoss as ZCDPLoss,
)
