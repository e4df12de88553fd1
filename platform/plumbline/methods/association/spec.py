"""The probes that score groups with attributes in templates."""

from plumbline.methods.association import ilps, ilps_chain, log_probability, sensitivity_test
from plumbline.spec.registry import Method

METHODS = {
    log_probability.CARD.probe: Method(log_probability.LogProbabilitySpec, log_probability.CARD),
    ilps.CARD.probe: Method(ilps.IlpsSpec, ilps.CARD),
    ilps_chain.CARD.probe: Method(ilps_chain.IlpsChainSpec, ilps_chain.CARD),
    sensitivity_test.CARD.probe: Method(sensitivity_test.SetSpec, sensitivity_test.CARD),
}
