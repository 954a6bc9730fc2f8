"""The JSON of the API and of the command line, as pydantic models, and how each is made from a value."""
