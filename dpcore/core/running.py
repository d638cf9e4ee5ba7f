"""An arrow is run on data: a fold over its derivation, done once. Imported with the first run: a loss needs no engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dpcore.calculus import Prepared, Run
from dpcore.core.accuracies import accuracies_of_all
from dpcore.core.framed import columns_of
from dpcore.core.labels import labels_of
from dpcore.core.origins import Arrow, require_known
from dpcore.core.readings import Keeping, draws_key
from dpcore.domains import Rows, Vector
from dpcore.engines.doors import as_array, hand_out, hand_out_array, receive, receive_array
from dpcore.engines.frames.results import framing_of
from dpcore.errors import FreeSymbols, InvalidParameter
from dpcore.functions import DATA, HERE, RELEASES, expect_no_data
from dpcore.maps import Numeric
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import drawn

if TYPE_CHECKING:
    from dpcore.distributions import Distribution, LossVariable


def run_on(arrow: Keeping, data: object, bits: BitSource) -> object:
    """What the arrow gives, all randomness from these bits: a key for what is chosen, then noise."""
    return hand_out(_ready(arrow, bits)(receive(data, arrow.input.domain)))


def prepared(arrow: Keeping) -> Prepared:
    """What the arrow does to data that were received, worked out when it is first run and kept on it."""
    if arrow._run is not None:
        return arrow._run
    try:
        run = Prepared.of(arrow.derivation)
    except FreeSymbols:
        require_known(arrow)  # says it of the whole arrow
        raise
    if arrow.input.free:
        require_known(arrow)
    object.__setattr__(arrow, "_run", run)
    return run


def _ready(arrow: Keeping, bits: BitSource) -> Run:
    """The run of one release, with what it brings along: the bits, and a key out of them where rows are chosen."""
    run = prepared(arrow)
    return run(drawn(bits) if "key" in run.asks else {"bits": bits})


def release_on(arrow: Keeping, data: object, bits: BitSource, *, exact: bool, confidence: Numeric | None) -> object:
    """numpy in, numpy out; of a frame, what is by key comes as a frame. See `Measurement.release`."""
    if HERE.within is DATA:  # so that a release is not a file longer to follow
        expect_no_data(RELEASES)
    of_rows = isinstance(arrow.input.domain, Rows) and type(data) not in (list, tuple, dict)
    framing = framing_of(data) if of_rows else None
    labels = None if framing is None else labels_of(arrow.derivation)
    if framing is not None and labels is not None:
        within = None if confidence is None else accuracies_of_all(arrow, confidence, together=False)
        released = run_on(arrow, data, bits)
        if isinstance(released, (list, dict)):
            return framing(columns_of(labels, released, exact=exact, within=within), ())
        if not exact and confidence is None:
            return released
    if exact or confidence is not None:
        raise InvalidParameter(
            "exact=True and confidence=... are for what is released by key of a frame, and "
            + ("what this releases is no table" if framing is not None else f"a {type(data).__name__} is no frame"),
            left=arrow,
            bridge="release(data), which is exact; accuracy(confidence)",
        )
    return _as_given(arrow, data, bits)


def _as_given(arrow: Keeping, data: object, bits: BitSource) -> object:
    """What comes out as the data came in, where these are a vector; else as Python has it."""
    domain = arrow.input.domain
    if not isinstance(domain, Vector):
        return run_on(arrow, data, bits)
    array = data if isinstance(data, np.ndarray) else as_array(data)
    at_once = array is not None and arrow.derivation.takes_arrays()
    received = receive_array(array, domain) if at_once and array is not None else receive(data, domain)
    released = _ready(arrow, bits)(received)
    return hand_out_array(released) if array is data else hand_out(released)


def distribution_on(arrow: Arrow, data: object) -> Distribution:
    """The probability of every outcome of a release on data: the same run, on every sequence of random choices.

    Keys are averaged over: of the rows that a key ranks every order is as likely, as if the cipher were drawn at random.
    """
    from dpcore.distributions import AnyKey, distribution_of  # not for whoever only asks for a loss

    require_known(arrow)
    received = receive(data, arrow.input.domain)

    def prepare(bits: BitSource) -> Callable[[], object]:
        if draws_key(arrow):  # a new key for each run
            return lambda: hand_out(arrow.derivation.runner({"bits": bits, "key": AnyKey(bits)})(received))
        run = arrow.derivation.runner({"bits": bits})
        return lambda: hand_out(run(received))

    return distribution_of(prepare)


def losses_on(arrow: Arrow, x: object, y: object) -> LossVariable:
    """How much a release from x tells it from y."""
    from dpcore.distributions import loss_variable

    return loss_variable(distribution_on(arrow, x), distribution_on(arrow, y))
