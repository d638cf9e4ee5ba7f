"""Spaces, steps and arrows: what a pipeline is made of, and all that an arrow can do by itself.

arrows            Transformation and Measurement: read this file first; the rest of dpcore makes arrows
spaces            where a pipeline starts: `rows(...)`, `value(...)`; what a step makes out of it, and first asks of it
steps             what a constructor returns; `checks`, what steps ask of the space they are called with
origins           an arrow as a recorded call: print, equality, `bind`, parts
chaining          what `>>` refuses; better rules of some chains; `known_size`, of rows whose number is known
readings          `.loss`, `.stability`, `.map`, `.solve` (solving)
running           `.release`, `.distribution`; `post_processing`, `accuracies`: `.then`, `.accuracy`
asserted          what is only a user's word: maps of his own
"""

from dpcore.core.arrows import Measurement as Measurement
from dpcore.core.arrows import Transformation as Transformation
from dpcore.core.arrows import TransformationStep as TransformationStep
from dpcore.core.arrows import made_of as made_of
from dpcore.core.arrows import measurement_of as measurement_of
from dpcore.core.arrows import transformation_of as transformation_of
from dpcore.core.spaces import Space as Space
