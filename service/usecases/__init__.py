"""Use cases: the operations of the service. HTTP and the command line only translate requests to them."""
