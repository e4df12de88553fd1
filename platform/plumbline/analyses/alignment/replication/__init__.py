"""A run's agreement with people beside the figures that Cao et al. 2022 print."""
