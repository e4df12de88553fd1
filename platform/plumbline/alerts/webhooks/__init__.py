"""Webhooks: alerts as signed requests to other systems."""
