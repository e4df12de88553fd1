-- One row per answered question, labels in place of ids; options and logits are JSON arrays.
CREATE OR REPLACE VIEW results.v_choice AS
SELECT choice.id,
       choice.run,
       (choice.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       bank.text AS bank,
       item.text AS item,
       category.text AS category,
       coalesce(template.text, '') AS template,
       condition.text AS condition,
       polarity.text AS polarity,
       name.text AS name,
       "group".text AS "group",
       options.text AS options,
       choice.sample,
       choice.logits,
       choice.chosen,
       choice.gold,
       choice.target,
       choice.unknown,
       reason.text AS reason
FROM results.choice
JOIN results.term AS probe ON probe.id = choice.probe
JOIN results.term AS bank ON bank.id = choice.bank
JOIN results.term AS item ON item.id = choice.item
JOIN results.term AS category ON category.id = choice.category
JOIN results.term AS condition ON condition.id = choice.condition
JOIN results.term AS polarity ON polarity.id = choice.polarity
JOIN results.term AS name ON name.id = choice.name
JOIN results.term AS "group" ON "group".id = choice."group"
JOIN results.term AS options ON options.id = choice.options
LEFT JOIN results.term AS template ON template.id = choice.template
LEFT JOIN results.term AS reason ON reason.id = choice.reason;

COMMENT ON VIEW results.v_choice IS 'One row an answered question with a few options';
COMMENT ON COLUMN results.v_choice.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_choice.run IS 'the run';
COMMENT ON COLUMN results.v_choice.shard IS 'the piece of work it was asked in';
COMMENT ON COLUMN results.v_choice.probe IS 'the method';
COMMENT ON COLUMN results.v_choice.bank IS 'the question bank; empty for questions that the spec holds itself';
COMMENT ON COLUMN results.v_choice.item IS 'the question, by its name in the bank';
COMMENT ON COLUMN results.v_choice.category IS 'the part of the bank that it is from; empty where it has none';
COMMENT ON COLUMN results.v_choice.template IS 'the template that the question was made from; empty where there is none';
COMMENT ON COLUMN results.v_choice.condition IS 'ambig or disambig; of gap: cut for a passage that was too long for the model';
COMMENT ON COLUMN results.v_choice.polarity IS 'whether the question asks for the harm or for its opposite; empty where neither';
COMMENT ON COLUMN results.v_choice.name IS 'the first name put in; empty where none is';
COMMENT ON COLUMN results.v_choice."group" IS 'the group that it is about; of gap the gender of the pronoun';
COMMENT ON COLUMN results.v_choice.options IS 'the options, a JSON array';
COMMENT ON COLUMN results.v_choice.sample IS 'the number of the answer, from 0 on, if the question was asked several times in this order';
COMMENT ON COLUMN results.v_choice.logits IS 'a JSON array in the order of the options; NULL where there is no answer, or only its text';
COMMENT ON COLUMN results.v_choice.chosen IS 'which option was chosen, from 0 on';
COMMENT ON COLUMN results.v_choice.gold IS 'which option is right, from 0 on';
COMMENT ON COLUMN results.v_choice.target IS 'which option names the group asked about (of bbq: the stereotyped one), from 0 on';
COMMENT ON COLUMN results.v_choice.unknown IS 'which option says that it is not known, or neither, from 0 on';
COMMENT ON COLUMN results.v_choice.reason IS 'why there is no answer';
