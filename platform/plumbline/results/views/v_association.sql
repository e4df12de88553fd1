-- One row per item of a log-probability probe, labels in place of ids.
CREATE VIEW results.v_association AS
SELECT association.id,
       association.run,
       (association.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       template.text AS template,
       "group".text AS "group",
       attribute.text AS attribute,
       association.log_p_target,
       association.log_p_prior,
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
