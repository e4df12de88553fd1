"""Methods on the platform's side, a folder each: spec, card, findings, pages. `workers/probes` executes them."""
