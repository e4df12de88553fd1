-- One row per answer in text: how a parser understood it, labels in place of ids.
CREATE OR REPLACE VIEW results.v_parsed_answer AS
SELECT parsed_answer.id,
       parsed_answer.run,
       (parsed_answer.id >> 20 & 1048575)::integer AS shard,
       probe.text AS probe,
       bank.text AS bank,
       item.text AS item,
       category.text AS category,
       template.text AS template,
       condition.text AS condition,
       "group".text AS "group",
       options.text AS options,
       parsed_answer.sample,
       answer_class.text AS answer_class,
       parser.text AS parser,
       parsed_answer.chosen,
       parsed_answer.reply
FROM results.parsed_answer
JOIN results.term AS probe ON probe.id = parsed_answer.probe
JOIN results.term AS bank ON bank.id = parsed_answer.bank
JOIN results.term AS item ON item.id = parsed_answer.item
JOIN results.term AS category ON category.id = parsed_answer.category
JOIN results.term AS template ON template.id = parsed_answer.template
JOIN results.term AS condition ON condition.id = parsed_answer.condition
JOIN results.term AS "group" ON "group".id = parsed_answer."group"
JOIN results.term AS options ON options.id = parsed_answer.options
JOIN results.term AS answer_class ON answer_class.id = parsed_answer.answer_class
JOIN results.term AS parser ON parser.id = parsed_answer.parser;

COMMENT ON VIEW results.v_parsed_answer IS 'One row per answer in text: how a parser understood it';
COMMENT ON COLUMN results.v_parsed_answer.id IS 'never repeats, and orders the rows of a run';
COMMENT ON COLUMN results.v_parsed_answer.run IS 'the run';
COMMENT ON COLUMN results.v_parsed_answer.shard IS 'the piece of work it was asked in';
COMMENT ON COLUMN results.v_parsed_answer.probe IS 'the method';
COMMENT ON COLUMN results.v_parsed_answer.bank IS 'the question bank; empty for questions that the spec holds itself';
COMMENT ON COLUMN results.v_parsed_answer.item IS 'the question, by its name in the bank';
COMMENT ON COLUMN results.v_parsed_answer.category IS 'the part of the bank that it is from';
COMMENT ON COLUMN results.v_parsed_answer.template IS 'the template that the question was made from';
COMMENT ON COLUMN results.v_parsed_answer.condition IS 'ambig or disambig';
COMMENT ON COLUMN results.v_parsed_answer."group" IS 'the group that it is about';
COMMENT ON COLUMN results.v_parsed_answer.options IS 'the options in the order asked, a JSON array';
COMMENT ON COLUMN results.v_parsed_answer.sample IS 'the number of the answer, from 0 on, if the question was asked several times in this order';
COMMENT ON COLUMN results.v_parsed_answer.answer_class IS 'option, several options, refusal, cut off, empty, content filter or unmatched';
COMMENT ON COLUMN results.v_parsed_answer.parser IS 'the parser and its version';
COMMENT ON COLUMN results.v_parsed_answer.chosen IS 'which option the answer names, from 0 on; NULL unless the class is option';
COMMENT ON COLUMN results.v_parsed_answer.reply IS 'the answer itself, in v_reply; its text may have been deleted since';
