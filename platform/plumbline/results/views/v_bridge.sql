-- One row per first name, word and template of an indirect score, labels in place of ids.
CREATE OR REPLACE VIEW results.v_bridge AS
SELECT bridge.id,
       bridge.run,
       (bridge.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       side.text AS side,
       template.text AS template,
       word.text AS word,
       name.text AS name,
       bridge.log_p_target,
       bridge.log_p_prior,
       bridge.score,
       bridge.name_tokens,
       bridge.scorable,
       reason.text AS reason
FROM results.bridge
JOIN results.term AS probe ON probe.id = bridge.probe
JOIN results.term AS side ON side.id = bridge.side
JOIN results.term AS word ON word.id = bridge.word
JOIN results.term AS name ON name.id = bridge.name
LEFT JOIN results.term AS template ON template.id = bridge.template
LEFT JOIN results.term AS reason ON reason.id = bridge.reason;

COMMENT ON VIEW results.v_bridge IS 'One row a first name, a word and a template: one of the two direct scores of an indirect one';
COMMENT ON COLUMN results.v_bridge.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_bridge.run IS 'the run';
COMMENT ON COLUMN results.v_bridge.shard IS 'the piece of work it was asked in';
COMMENT ON COLUMN results.v_bridge.probe IS 'the method';
COMMENT ON COLUMN results.v_bridge.side IS 'target_bridge: the name is predicted from the target; bridge_feature: the feature from the name; bridge_feature:LIST: that of a sensitive attribute';
COMMENT ON COLUMN results.v_bridge.template IS 'the sentence; NULL in runs before records of each template: an average over those of the side';
COMMENT ON COLUMN results.v_bridge.word IS 'the target, or the feature';
COMMENT ON COLUMN results.v_bridge.name IS 'the first name';
COMMENT ON COLUMN results.v_bridge.log_p_target IS 'natural logarithm of the probability';
COMMENT ON COLUMN results.v_bridge.log_p_prior IS 'the same without the given word: the prior';
COMMENT ON COLUMN results.v_bridge.score IS 'log_p_target minus log_p_prior';
COMMENT ON COLUMN results.v_bridge.name_tokens IS 'into how many tokens the model splits the name';
COMMENT ON COLUMN results.v_bridge.scorable IS 'whether it could be scored';
COMMENT ON COLUMN results.v_bridge.reason IS 'why it could not';
