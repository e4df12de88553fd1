"""Schedules: when they are due, in plain words and as cron texts, and what they launch."""
