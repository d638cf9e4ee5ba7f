"""Any chain that type-checks: a walk over the constructors, which knows nothing of what goes well together.

From a random space, step by step, whatever the library lets through; then whatever combines measurements. What was thought
of beforehand stands in the themes beside; what nobody thought of is found here.
"""
