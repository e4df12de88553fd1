-- One row per effect size of an embedding association test, labels in place of ids.
CREATE OR REPLACE VIEW results.v_effect AS
SELECT effect.id,
       effect.run,
       (effect.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       template.text AS template,
       "group".text AS "group",
       attribute.text AS attribute,
       effect.draw,
       effect.effect_size,
       effect.variance,
       effect.sentences,
       effect.scorable,
       reason.text AS reason
FROM results.effect
JOIN results.term AS probe ON probe.id = effect.probe
JOIN results.term AS template ON template.id = effect.template
JOIN results.term AS "group" ON "group".id = effect."group"
JOIN results.term AS attribute ON attribute.id = effect.attribute
LEFT JOIN results.term AS reason ON reason.id = effect.reason;

COMMENT ON VIEW results.v_effect IS 'One row an effect size of an embedding association test (CEAT), over all draws or of one';
COMMENT ON COLUMN results.v_effect.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_effect.run IS 'the run';
COMMENT ON COLUMN results.v_effect.shard IS 'the piece of work it was asked in';
COMMENT ON COLUMN results.v_effect.probe IS 'the method';
COMMENT ON COLUMN results.v_effect.template IS 'empty: the sentences come from a corpus';
COMMENT ON COLUMN results.v_effect."group" IS 'the group, or the two target sets (x - y)';
COMMENT ON COLUMN results.v_effect.attribute IS 'the pair of opposites, or the two attribute sets (a - b)';
COMMENT ON COLUMN results.v_effect.draw IS '0: over all draws; else which of them, from 1 on';
COMMENT ON COLUMN results.v_effect.effect_size IS 'the difference in standard deviations; NULL where there is none';
COMMENT ON COLUMN results.v_effect.variance IS 'the variance of the effect size, as the method defines it';
COMMENT ON COLUMN results.v_effect.sentences IS 'the fewest sentences that any of its words was sampled from';
COMMENT ON COLUMN results.v_effect.scorable IS 'whether there is an effect size';
COMMENT ON COLUMN results.v_effect.reason IS 'why there is none';
