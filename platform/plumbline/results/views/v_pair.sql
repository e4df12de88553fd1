-- One row a pair of sentences and a score, labels in place of ids.
CREATE OR REPLACE VIEW results.v_pair AS
SELECT pair.id,
       pair.run,
       (pair.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       bank.text AS bank,
       item.text AS item,
       category.text AS category,
       scoring.text AS scoring,
       template.text AS template,
       pair.first,
       pair.second,
       pair.score,
       pair.scorable,
       reason.text AS reason
FROM results.pair
JOIN results.term AS probe ON probe.id = pair.probe
JOIN results.term AS bank ON bank.id = pair.bank
JOIN results.term AS item ON item.id = pair.item
JOIN results.term AS category ON category.id = pair.category
JOIN results.term AS scoring ON scoring.id = pair.scoring
JOIN results.term AS template ON template.id = pair.template
LEFT JOIN results.term AS reason ON reason.id = pair.reason;

COMMENT ON VIEW results.v_pair IS 'One row a pair of sentences and a score';
COMMENT ON COLUMN results.v_pair.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_pair.run IS 'the run';
COMMENT ON COLUMN results.v_pair.shard IS 'the piece of work it was scored in';
COMMENT ON COLUMN results.v_pair.probe IS 'the method';
COMMENT ON COLUMN results.v_pair.bank IS 'the bank of pairs; empty for pairs that the spec holds itself';
COMMENT ON COLUMN results.v_pair.item IS 'the pair, by its name in the bank';
COMMENT ON COLUMN results.v_pair.category IS 'the type of the pair; of GEST the number of the stereotype';
COMMENT ON COLUMN results.v_pair.scoring IS 'the name of the score';
COMMENT ON COLUMN results.v_pair.template IS 'the template of GEST; empty where there is none';
COMMENT ON COLUMN results.v_pair.first IS 'the score of the sentence that the stereotype favours, of GEST of the male word; NULL where only the difference was imported';
COMMENT ON COLUMN results.v_pair.second IS 'the score of the other sentence, of GEST of the female word';
COMMENT ON COLUMN results.v_pair.score IS 'first minus second';
COMMENT ON COLUMN results.v_pair.scorable IS 'whether it could be scored';
COMMENT ON COLUMN results.v_pair.reason IS 'why it could not';
