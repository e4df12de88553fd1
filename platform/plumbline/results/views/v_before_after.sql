-- One row per difference between two groups that a comparison of two runs tested. The change is run minus run_before.
-- Either run may have been asked with Self-Debias, so that its own variant names that.
-- The condition of a change names the statistic; the definition of both runs follows it where that is not the primary one.
-- The outcome reads the three stored verdicts (docs/methods.md, "Before and after"); it tests nothing anew.
CREATE VIEW results.v_before_after AS
SELECT change.run, before.run AS run_before, before.statistic, change.group_a, change.group_b, change.category,
       change.attribute,
       before.value AS value_before, before.ci_low AS ci_low_before, before.ci_high AS ci_high_before,
       before.verdict AS verdict_before,
       after.value, after.ci_low, after.ci_high, after.verdict,
       change.value AS change, change.ci_low AS change_low, change.ci_high AS change_high,
       change.q_value AS change_q, change.verdict AS change_verdict, change.smallest_effect, change.n_units,
       CASE
           WHEN '' IN (before.verdict, after.verdict, change.verdict) THEN 'undecided'
           WHEN before.verdict = 'present' AND after.verdict = 'present' AND before.value * after.value < 0 THEN 'reversed'
           WHEN before.verdict = 'present' AND after.verdict = 'absent' AND change.verdict = 'present' THEN 'gone'
           WHEN before.verdict <> 'present' AND after.verdict = 'present' AND change.verdict = 'present' THEN 'new'
           WHEN change.verdict = 'present' AND before.value * after.value > 0
               THEN CASE WHEN abs(after.value) < abs(before.value) THEN 'weaker' ELSE 'stronger' END
           WHEN change.verdict = 'absent' THEN 'unchanged'
           ELSE 'undecided'
       END AS outcome
FROM results.measure AS change
JOIN results.measure AS before
    ON before.run = CASE WHEN change.variant ~ '^run:[0-9]{1,9}$' THEN substring(change.variant FROM 5)::integer END
    AND before.statistic = split_part(change.condition, ': ', 1) AND before.group_a = change.group_a AND before.group_b = change.group_b
    AND before.category = change.category AND before.attribute = change.attribute
    AND CASE WHEN change.condition LIKE '%: %' THEN before.variant = substring(change.condition FROM position(': ' IN change.condition) + 2)
             ELSE before.variant ~ '^(self_debias( decay [0-9.e+-]+)?)?$' END
    AND before.condition = '' AND before.template = ''
JOIN results.measure AS after
    ON after.run = change.run
    AND after.statistic = split_part(change.condition, ': ', 1) AND after.group_a = change.group_a AND after.group_b = change.group_b
    AND after.category = change.category AND after.attribute = change.attribute
    AND CASE WHEN change.condition LIKE '%: %' THEN after.variant = substring(change.condition FROM position(': ' IN change.condition) + 2)
             ELSE after.variant ~ '^(self_debias( decay [0-9.e+-]+)?)?$' END
    AND after.condition = '' AND after.template = ''
WHERE change.statistic = 'difference_in_differences';

COMMENT ON VIEW results.v_before_after IS 'One row a difference between two groups in two runs that were compared: before, after, and its change';
COMMENT ON COLUMN results.v_before_after.run IS 'the later run';
COMMENT ON COLUMN results.v_before_after.run_before IS 'the earlier run';
COMMENT ON COLUMN results.v_before_after.statistic IS 'the difference, as in docs/methods.md';
COMMENT ON COLUMN results.v_before_after.group_a IS 'the group';
COMMENT ON COLUMN results.v_before_after.group_b IS 'the group that it is compared with (a minus b)';
COMMENT ON COLUMN results.v_before_after.category IS 'the list of the word';
COMMENT ON COLUMN results.v_before_after.attribute IS 'the word';
COMMENT ON COLUMN results.v_before_after.value_before IS 'the difference in the earlier run';
COMMENT ON COLUMN results.v_before_after.ci_low_before IS 'where its interval begins';
COMMENT ON COLUMN results.v_before_after.ci_high_before IS 'where its interval ends';
COMMENT ON COLUMN results.v_before_after.verdict_before IS 'its verdict';
COMMENT ON COLUMN results.v_before_after.value IS 'the difference in the later run';
COMMENT ON COLUMN results.v_before_after.ci_low IS 'where its interval begins';
COMMENT ON COLUMN results.v_before_after.ci_high IS 'where its interval ends';
COMMENT ON COLUMN results.v_before_after.verdict IS 'its verdict';
COMMENT ON COLUMN results.v_before_after.change IS 'later minus earlier, over the sentences that both runs scored';
COMMENT ON COLUMN results.v_before_after.change_low IS 'where the interval of the change begins';
COMMENT ON COLUMN results.v_before_after.change_high IS 'where the interval of the change ends';
COMMENT ON COLUMN results.v_before_after.change_q IS 'of the change, corrected for the family of all changes';
COMMENT ON COLUMN results.v_before_after.change_verdict IS 'present, absent, undecided or not testable';
COMMENT ON COLUMN results.v_before_after.smallest_effect IS 'the smallest change that matters, in the unit of the value';
COMMENT ON COLUMN results.v_before_after.n_units IS 'kinds of sentence behind the change';
COMMENT ON COLUMN results.v_before_after.outcome IS 'gone, weaker, unchanged, stronger, reversed, new or undecided';
