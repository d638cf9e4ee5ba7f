"""One hypothesis profile for all tests: the same examples on every run and machine, and no clock."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dpcore", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dpcore")
