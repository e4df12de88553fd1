-- One row a word with a name in a context: in how many distractors it was shown, how many of them misled; labels in place of ids.
CREATE OR REPLACE VIEW results.v_tally AS
SELECT tally.id,
       tally.run,
       (tally.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       context.text AS context,
       name.text AS name,
       "group".text AS "group",
       word.text AS word,
       tally.shown,
       tally.chosen,
       tally.expected
FROM results.tally
JOIN results.term AS probe ON probe.id = tally.probe
JOIN results.term AS context ON context.id = tally.context
JOIN results.term AS name ON name.id = tally.name
JOIN results.term AS "group" ON "group".id = tally."group"
JOIN results.term AS word ON word.id = tally.word;

COMMENT ON VIEW results.v_tally IS 'One row a word with a name in a context: in how many distractors it was shown, how many of them misled';
COMMENT ON COLUMN results.v_tally.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_tally.run IS 'the run';
COMMENT ON COLUMN results.v_tally.shard IS 'the piece of work it was made in';
COMMENT ON COLUMN results.v_tally.probe IS 'the method';
COMMENT ON COLUMN results.v_tally.context IS 'the context, by its name in the bank';
COMMENT ON COLUMN results.v_tally.name IS 'the first name put in';
COMMENT ON COLUMN results.v_tally."group" IS 'the group that bears the name';
COMMENT ON COLUMN results.v_tally.word IS 'the word';
COMMENT ON COLUMN results.v_tally.shown IS 'distractors with the word that stood in a question';
COMMENT ON COLUMN results.v_tally.chosen IS 'those of them that the model chose';
COMMENT ON COLUMN results.v_tally.expected IS 'how many it would choose on average over random partners; of answers in text, how many it chose';
