"""How one person stands to another: loves, dislikes, marries, kills."""
