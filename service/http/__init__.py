"""The HTTP layer: routers, problem documents, access control, middleware. No lower layer imports it."""
