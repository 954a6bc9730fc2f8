"""What somebody is, looks like and is like: roles, qualities and descriptive phrases."""
