"""Measure a resolver: against LitBank, against the Project Dialogism corpus, and its speed."""
