"""Training the literary model: from annotated documents to weights, resumable, with fixed seeds."""
