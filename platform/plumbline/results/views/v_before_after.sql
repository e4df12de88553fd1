-- One row per figure that a comparison of two runs tested: a difference between two groups, or a figure of the whole run
-- such as a share of pairs. The change is run minus run_before. Ratios change on the logarithm.
-- The condition of a change is the statistic that changed, then its condition after a comma, then the definition of both
-- runs after a colon. Without a definition each run may have a variant of its own (Self-Debias, of figures also letters):
-- among measures with the same labels, the run's own one has the shortest name.
-- The outcome reads the three stored verdicts (docs/methods.md, "Before and after"); it tests nothing anew.
CREATE OR REPLACE VIEW results.v_before_after AS
WITH change AS (
    SELECT measure.*,
           CASE WHEN variant ~ '^run:[0-9]{1,9}$' THEN substring(variant FROM 5)::integer END AS run_before,
           -- A share of pairs or words shows nothing at one half; all other figures show nothing at 0.
           CASE WHEN condition ~ '_share$|^attribute_preference$' THEN 0.5 ELSE 0 END AS no_effect,
           split_part(split_part(condition, ': ', 1), ', ', 1) AS changed,
           split_part(split_part(condition, ': ', 1), ', ', 2) AS changed_condition,
           CASE WHEN condition LIKE '%: %' THEN substring(condition FROM position(': ' IN condition) + 2) ELSE '' END
               AS definition
    FROM results.measure
    WHERE statistic IN ('difference_in_differences', 'measure_change')
)
SELECT change.run, change.run_before, change.changed AS statistic, change.group_a, change.group_b, change.category,
       change.attribute, change.changed_condition AS condition, change.template,
       before.value AS value_before, before.ci_low AS ci_low_before, before.ci_high AS ci_high_before,
       before.verdict AS verdict_before,
       after.value, after.ci_low, after.ci_high, after.verdict,
       change.value AS change, change.ci_low AS change_low, change.ci_high AS change_high,
       change.q_value AS change_q, change.verdict AS change_verdict, change.smallest_effect, change.n_units,
       CASE
           WHEN change.statistic = 'measure_change' AND before.verdict = '' AND after.verdict = ''
               THEN CASE change.verdict WHEN 'present' THEN 'changed' WHEN 'absent' THEN 'unchanged' ELSE 'undecided' END
           WHEN '' IN (before.verdict, after.verdict, change.verdict) THEN 'undecided'
           -- The change is over what both runs scored, the values over all that each scored. If they move in opposite
           -- directions, they show nothing together.
           WHEN change.verdict = 'present' AND (after.value - before.value) * change.value <= 0 THEN 'undecided'
           WHEN before.verdict = 'present' AND after.verdict = 'present'
               AND (before.value - change.no_effect) * (after.value - change.no_effect) < 0 THEN 'reversed'
           WHEN before.verdict = 'present' AND after.verdict = 'absent' AND change.verdict = 'present' THEN 'gone'
           WHEN before.verdict <> 'present' AND after.verdict = 'present' AND change.verdict = 'present' THEN 'new'
           WHEN change.verdict = 'present' AND (before.value - change.no_effect) * (after.value - change.no_effect) > 0
               THEN CASE WHEN abs(after.value - change.no_effect) < abs(before.value - change.no_effect)
                         THEN 'weaker' ELSE 'stronger' END
           WHEN change.verdict = 'absent' THEN 'unchanged'
           ELSE 'undecided'
       END AS outcome
FROM change
CROSS JOIN LATERAL (
    SELECT own.* FROM results.measure AS own
    WHERE own.run = change.run_before AND own.statistic = change.changed
        AND own.group_a = change.group_a AND own.group_b = change.group_b AND own.category = change.category
        AND own.attribute = change.attribute AND own.template = change.template
        AND own.condition = change.changed_condition
        AND CASE WHEN change.definition <> '' THEN own.variant = change.definition
                 WHEN change.statistic = 'measure_change' THEN own.variant !~ '^prior: '
                 ELSE own.variant ~ '^(self_debias( decay [0-9.e+-]+)?)?$' END
    ORDER BY length(own.variant) LIMIT 1
) AS before
CROSS JOIN LATERAL (
    SELECT own.* FROM results.measure AS own
    WHERE own.run = change.run AND own.statistic = change.changed
        AND own.group_a = change.group_a AND own.group_b = change.group_b AND own.category = change.category
        AND own.attribute = change.attribute AND own.template = change.template
        AND own.condition = change.changed_condition
        AND CASE WHEN change.definition <> '' THEN own.variant = change.definition
                 WHEN change.statistic = 'measure_change' THEN own.variant !~ '^prior: '
                 ELSE own.variant ~ '^(self_debias( decay [0-9.e+-]+)?)?$' END
    ORDER BY length(own.variant) LIMIT 1
) AS after;

COMMENT ON VIEW results.v_before_after IS 'One row a figure of two runs that were compared: before, after, and its change';
COMMENT ON COLUMN results.v_before_after.run IS 'the later run';
COMMENT ON COLUMN results.v_before_after.run_before IS 'the earlier run';
COMMENT ON COLUMN results.v_before_after.statistic IS 'the figure that changed, as in docs/methods.md';
COMMENT ON COLUMN results.v_before_after.group_a IS 'the group';
COMMENT ON COLUMN results.v_before_after.group_b IS 'the group that it is compared with (a minus b)';
COMMENT ON COLUMN results.v_before_after.category IS 'the list of the word, or the category of the items';
COMMENT ON COLUMN results.v_before_after.attribute IS 'the word';
COMMENT ON COLUMN results.v_before_after.condition IS 'the condition, such as ambig or disambig';
COMMENT ON COLUMN results.v_before_after.template IS 'the template; empty: all';
COMMENT ON COLUMN results.v_before_after.value_before IS 'the figure in the earlier run';
COMMENT ON COLUMN results.v_before_after.ci_low_before IS 'where its interval begins';
COMMENT ON COLUMN results.v_before_after.ci_high_before IS 'where its interval ends';
COMMENT ON COLUMN results.v_before_after.verdict_before IS 'its verdict';
COMMENT ON COLUMN results.v_before_after.value IS 'the figure in the later run';
COMMENT ON COLUMN results.v_before_after.ci_low IS 'where its interval begins';
COMMENT ON COLUMN results.v_before_after.ci_high IS 'where its interval ends';
COMMENT ON COLUMN results.v_before_after.verdict IS 'its verdict';
COMMENT ON COLUMN results.v_before_after.change IS 'later minus earlier, over what both runs scored; of ratios the natural logarithm';
COMMENT ON COLUMN results.v_before_after.change_low IS 'where the interval of the change begins';
COMMENT ON COLUMN results.v_before_after.change_high IS 'where the interval of the change ends';
COMMENT ON COLUMN results.v_before_after.change_q IS 'of the change, corrected for the family of all changes';
COMMENT ON COLUMN results.v_before_after.change_verdict IS 'present, absent, undecided or not testable';
COMMENT ON COLUMN results.v_before_after.smallest_effect IS 'the smallest change that matters, in the unit of the change';
COMMENT ON COLUMN results.v_before_after.n_units IS 'the units behind the change: kinds of sentence, pairs, templates, words';
COMMENT ON COLUMN results.v_before_after.outcome IS 'gone, weaker, unchanged, stronger, reversed, new, changed or undecided';
