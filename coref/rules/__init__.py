"""The rules resolver: no model, no training, a novel in seconds. `resolver.py` lists its steps."""
