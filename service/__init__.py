"""The service: HTTP API, command line, background jobs and dashboard over one library of books."""
