"""What works here and what does not: the doctor, the readiness check, the status of the engines."""
