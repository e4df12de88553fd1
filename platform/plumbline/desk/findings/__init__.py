"""Pages of findings and sign-offs: the list, a finding, those of a run, and what people do with them."""
