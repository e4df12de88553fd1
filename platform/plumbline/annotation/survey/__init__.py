"""A survey that collects human judgements of groups on pairs of opposites, from people without an account."""
