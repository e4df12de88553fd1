-- One row an option asked with a name in a context: the right answer or a distractor; labels in place of ids.
CREATE OR REPLACE VIEW results.v_answer AS
SELECT answer.id,
       answer.run,
       (answer.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       context.text AS context,
       name.text AS name,
       "group".text AS "group",
       answer.text,
       answer.place,
       answer.name_tokens,
       answer.logit,
       answer.chosen,
       reason.text AS reason
FROM results.answer
JOIN results.term AS probe ON probe.id = answer.probe
JOIN results.term AS context ON context.id = answer.context
JOIN results.term AS name ON name.id = answer.name
JOIN results.term AS "group" ON "group".id = answer."group"
LEFT JOIN results.term AS reason ON reason.id = answer.reason;

COMMENT ON VIEW results.v_answer IS 'One row an option asked with a name in a context: the right answer or a distractor';
COMMENT ON COLUMN results.v_answer.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_answer.run IS 'the run';
COMMENT ON COLUMN results.v_answer.shard IS 'the piece of work it was made in';
COMMENT ON COLUMN results.v_answer.probe IS 'the method';
COMMENT ON COLUMN results.v_answer.context IS 'the context, by its name in the bank';
COMMENT ON COLUMN results.v_answer.name IS 'the first name put in';
COMMENT ON COLUMN results.v_answer."group" IS 'the group that bears the name';
COMMENT ON COLUMN results.v_answer.text IS 'the option, the name in it';
COMMENT ON COLUMN results.v_answer.place IS '-1: the right answer; the distractors at 2q and 2q + 1 stand in question q';
COMMENT ON COLUMN results.v_answer.name_tokens IS 'into how many tokens the model splits the name; NULL where that is not known';
COMMENT ON COLUMN results.v_answer.logit IS 'the model''s logit or log likelihood; NULL where there is none';
COMMENT ON COLUMN results.v_answer.chosen IS 'of a model that answers in text: in how many questions its answer names this option; else NULL';
COMMENT ON COLUMN results.v_answer.reason IS 'why there is neither a score nor an answer';
