-- One row a distractor that the generator made for a name in a context; labels in place of ids.
CREATE OR REPLACE VIEW results.v_distractor AS
SELECT distractor.id,
       distractor.run,
       (distractor.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       context.text AS context,
       name.text AS name,
       "group".text AS "group",
       distractor.text,
       distractor.distance,
       distractor.log_p
FROM results.distractor
JOIN results.term AS probe ON probe.id = distractor.probe
JOIN results.term AS context ON context.id = distractor.context
JOIN results.term AS name ON name.id = distractor.name
JOIN results.term AS "group" ON "group".id = distractor."group";

COMMENT ON VIEW results.v_distractor IS 'One row a distractor that the generator made for a name in a context';
COMMENT ON COLUMN results.v_distractor.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_distractor.run IS 'the run';
COMMENT ON COLUMN results.v_distractor.shard IS 'the piece of work it was made in';
COMMENT ON COLUMN results.v_distractor.probe IS 'the method';
COMMENT ON COLUMN results.v_distractor.context IS 'the context, by its name in the bank';
COMMENT ON COLUMN results.v_distractor.name IS 'the first name put in';
COMMENT ON COLUMN results.v_distractor."group" IS 'the group that bears the name';
COMMENT ON COLUMN results.v_distractor.text IS 'the option, the name in it';
COMMENT ON COLUMN results.v_distractor.distance IS 'in how many positions it differs from the right answer';
COMMENT ON COLUMN results.v_distractor.log_p IS 'natural log: the largest over the ways to it of the summed log probabilities of the tokens put in';
