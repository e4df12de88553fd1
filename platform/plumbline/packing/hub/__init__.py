"""A run's figures in the formats of the Hugging Face Hub: results files and sections of model cards."""
