-- One row per statistic of a run. Empty template and attribute: the overall value. Empty variant: the primary definition.
CREATE VIEW results.v_measure AS
SELECT run, statistic, variant, prior, group_a, group_b, category, condition, attribute, template,
       value, ci_low, ci_high, p_value, familywise_p_value, q_value, n, unit, n_units, reason
FROM results.measure;
