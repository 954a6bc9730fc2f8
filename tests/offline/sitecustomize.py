"""Python imports this at start where this folder is on PYTHONPATH: see `offline_network.py`."""

import offline_network

offline_network.shut()
