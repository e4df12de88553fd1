"""Laws and standards as dated data: what a report covers of each point, and what it does not."""
