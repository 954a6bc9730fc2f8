"""Health checks: the doctor, the readiness check and the status of the engines."""
