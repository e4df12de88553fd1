"""The gate: rules on the measures of a finished run, with which a command stops a release."""
