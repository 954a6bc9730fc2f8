"""The rules resolver: no model, no training, a novel in seconds. `resolver.py` tells its steps in order."""
