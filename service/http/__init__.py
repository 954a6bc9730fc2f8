"""The HTTP edge: routers that translate, problems, access, middleware. Nothing below knows of it."""
