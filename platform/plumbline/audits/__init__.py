"""Audits as people order them: models, plans, schedules, runs, phases, shards, and the leases of workers."""
