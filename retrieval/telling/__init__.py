"""A trained eye for the sentences that say most about who somebody is."""
