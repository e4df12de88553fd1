"""Accounts: the append-only log of sign-ins, role changes, exports and deletions."""
