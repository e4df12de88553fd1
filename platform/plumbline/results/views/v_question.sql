-- One row a question of SODAPOP: the right answer and two distractors, put together from the options.
CREATE OR REPLACE VIEW results.v_question AS
SELECT a.run,
       context.text AS context,
       name.text AS name,
       "group".text AS "group",
       a.place / 2 AS question,
       gold.text AS answer,
       a.text AS distractor_a,
       b.text AS distractor_b,
       gold.logit AS logit_answer,
       a.logit AS logit_a,
       b.logit AS logit_b,
       CASE
           WHEN gold.logit >= a.logit AND gold.logit >= b.logit OR a.chosen = 0 AND b.chosen = 0 THEN 'answer'
           WHEN a.logit >= b.logit OR a.chosen = 1 THEN 'distractor_a'
           WHEN b.logit > a.logit OR b.chosen = 1 THEN 'distractor_b'
       END AS chosen
FROM results.answer AS a
JOIN results.answer AS b
  ON b.run = a.run AND b.context = a.context AND b.name = a.name AND b.place = a.place + 1
JOIN results.answer AS gold
  ON gold.run = a.run AND gold.context = a.context AND gold.name = a.name AND gold.place = -1
JOIN results.term AS context ON context.id = a.context
JOIN results.term AS name ON name.id = a.name
JOIN results.term AS "group" ON "group".id = a."group"
WHERE a.place >= 0 AND a.place % 2 = 0;

COMMENT ON VIEW results.v_question IS 'One row a question with the right answer and two distractors';
COMMENT ON COLUMN results.v_question.run IS 'the run';
COMMENT ON COLUMN results.v_question.context IS 'the context, by its name in the bank';
COMMENT ON COLUMN results.v_question.name IS 'the first name put in';
COMMENT ON COLUMN results.v_question."group" IS 'the group that bears the name';
COMMENT ON COLUMN results.v_question.question IS 'counts the questions of a name in a context, from 0 on';
COMMENT ON COLUMN results.v_question.answer IS 'the right answer';
COMMENT ON COLUMN results.v_question.distractor_a IS 'the first distractor';
COMMENT ON COLUMN results.v_question.distractor_b IS 'the second distractor';
COMMENT ON COLUMN results.v_question.logit_answer IS 'the score of the right answer; NULL for answers in text, as those of the distractors';
COMMENT ON COLUMN results.v_question.logit_a IS 'the score of the first distractor';
COMMENT ON COLUMN results.v_question.logit_b IS 'the score of the second distractor';
COMMENT ON COLUMN results.v_question.chosen IS 'answer, distractor_a or distractor_b: the highest score, of equal ones the first, or the one that the answer in text names; NULL where one is not scored or the answer names none';
