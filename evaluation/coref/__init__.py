"""How well a resolver knows who is who: against LitBank, against the Project Dialogism corpus, in time."""
