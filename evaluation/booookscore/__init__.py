"""BooookScore (Chang et al. 2024): the share of a summary's sentences that confuse nobody."""
