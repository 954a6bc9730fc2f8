"""How much of what study guides say of people Bookworm finds, cites and bears out."""
