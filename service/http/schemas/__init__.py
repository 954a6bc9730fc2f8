"""What travels over HTTP, as pydantic models, and how each is made from a value. One module per thing."""
