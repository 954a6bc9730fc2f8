"""The command line: the same use cases as HTTP, in this process. Results go to stdout, all else to stderr."""
