"""The command line. It runs the same use cases as HTTP. Results go to stdout, everything else to stderr."""
