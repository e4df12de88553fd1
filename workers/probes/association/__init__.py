"""The association probes: log_probability, ilps and ilps_chain.

cells (template, group, attribute) -> sentences -> asks (queries of the engine) -> log p of target and prior -> score
"""
