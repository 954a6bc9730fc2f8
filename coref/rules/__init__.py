"""The rules resolver: no model and no training, a novel in seconds. `resolver.py` lists its steps."""
