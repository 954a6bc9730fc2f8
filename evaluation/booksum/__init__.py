"""BookSum: summaries beside the chapters and books they are of: its files, its figures, baselines."""
