-- One row per item of a log-probability probe, labels in place of ids.
CREATE OR REPLACE VIEW results.v_association AS
SELECT association.id,
       association.run,
       (association.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       template.text AS template,
       "group".text AS "group",
       attribute.text AS attribute,
       association.log_p_target,
       association.log_p_prior,
       association.distance_target,
       association.distance_prior,
       association.score,
       association.n_tokens,
       association.scorable,
       reason.text AS reason
FROM results.association
JOIN results.term AS probe ON probe.id = association.probe
JOIN results.term AS template ON template.id = association.template
JOIN results.term AS "group" ON "group".id = association."group"
JOIN results.term AS attribute ON attribute.id = association.attribute
LEFT JOIN results.term AS reason ON reason.id = association.reason;

COMMENT ON VIEW results.v_association IS 'One row an item of a log-probability probe: a template, filled with a group and an attribute';
COMMENT ON COLUMN results.v_association.id IS 'never repeats, and orders the items of a run';
COMMENT ON COLUMN results.v_association.run IS 'the run';
COMMENT ON COLUMN results.v_association.shard IS 'the piece of work it was asked in';
COMMENT ON COLUMN results.v_association.probe IS 'the method';
COMMENT ON COLUMN results.v_association.template IS 'the sentence, with its slots';
COMMENT ON COLUMN results.v_association."group" IS 'the group that was named';
COMMENT ON COLUMN results.v_association.attribute IS 'the word that was asked for';
COMMENT ON COLUMN results.v_association.log_p_target IS 'log probability of the word with the group named (natural log)';
COMMENT ON COLUMN results.v_association.log_p_prior IS 'the same with the prior in the place of the group';
COMMENT ON COLUMN results.v_association.distance_target IS 'of the probe set: how much the last layer must change for the word to become the top one (squared Frobenius norm; the norm in its variant released_code)';
COMMENT ON COLUMN results.v_association.distance_prior IS 'the same with the prior in the place of the group';
COMMENT ON COLUMN results.v_association.score IS 'log_p_target minus log_p_prior, or of the probe set minus the logarithm of distance_target / distance_prior; NULL where it is not scorable';
COMMENT ON COLUMN results.v_association.n_tokens IS 'tokens of the attribute (on causal models: of the slot that is scored)';
COMMENT ON COLUMN results.v_association.scorable IS 'whether the item could be scored';
COMMENT ON COLUMN results.v_association.reason IS 'why it could not';
