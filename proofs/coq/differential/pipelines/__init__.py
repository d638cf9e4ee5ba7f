"""Random pipelines that reach every rule of which there is a theorem, by theme; [every] writes their certificates."""
