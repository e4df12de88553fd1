"""The SQL page: people's own questions, asked through the login that may read the views and nothing else."""
