"""Pages of accounts: people and invitations, passwords, second factors, and people who leave."""
