-- One row per text, labels in place of ids.
CREATE OR REPLACE VIEW results.v_text_likelihood AS
SELECT text_likelihood.id,
       text_likelihood.run,
       (text_likelihood.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       bank.text AS bank,
       item.text AS item,
       text_likelihood.log_likelihood,
       text_likelihood.n_tokens,
       text_likelihood.n_top1,
       text_likelihood.scorable,
       reason.text AS reason
FROM results.text_likelihood
JOIN results.term AS probe ON probe.id = text_likelihood.probe
JOIN results.term AS bank ON bank.id = text_likelihood.bank
JOIN results.term AS item ON item.id = text_likelihood.item
LEFT JOIN results.term AS reason ON reason.id = text_likelihood.reason;

COMMENT ON VIEW results.v_text_likelihood IS 'One row per text: how likely a model finds it';
COMMENT ON COLUMN results.v_text_likelihood.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_text_likelihood.run IS 'the run';
COMMENT ON COLUMN results.v_text_likelihood.shard IS 'the piece of work it was scored in';
COMMENT ON COLUMN results.v_text_likelihood.probe IS 'the method';
COMMENT ON COLUMN results.v_text_likelihood.bank IS 'the bank of texts; empty for texts that the spec holds itself';
COMMENT ON COLUMN results.v_text_likelihood.item IS 'the text, by its name in the bank';
COMMENT ON COLUMN results.v_text_likelihood.log_likelihood IS 'natural logarithm, summed over the tokens; of a masked model each token is masked alone';
COMMENT ON COLUMN results.v_text_likelihood.n_tokens IS 'tokens that were scored';
COMMENT ON COLUMN results.v_text_likelihood.n_top1 IS 'tokens that a masked model finds likeliest at their place';
COMMENT ON COLUMN results.v_text_likelihood.scorable IS 'whether it could be scored';
COMMENT ON COLUMN results.v_text_likelihood.reason IS 'why it could not';
