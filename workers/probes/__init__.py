"""Methods on the workers' side, a folder each: plan, execute, summarise. `plumbline.methods` says what they are."""
