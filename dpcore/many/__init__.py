"""Many queries from one noise: synthetic data, made of a few noisy answers, that answer all of them."""
