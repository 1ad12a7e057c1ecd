-- What orders, filters and groups need of a metric lies together, so that they read it without the rows of its series. An update
-- of a summary writes this index, and so the other ones too: a flush of one series takes 25 microseconds more, one of 100 half a
-- millisecond.
DROP INDEX "metric_series_name_idx";

-- CreateIndex
CREATE INDEX "metric_series_name_run_id_idx" ON "metric_series"("name", "run_id") INCLUDE ("last_value", "minimum", "maximum", "point_count");

-- Only what VACUUM has been over is read from the index alone: it comes when a twentieth has changed, not a fifth.
ALTER TABLE "metric_series" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Whether a rule of `define_metric` is one for a metric: it has its name, or is a pattern, where `*` is any characters.
CREATE FUNCTION rule_concerns(rule text, metric text) RETURNS boolean LANGUAGE sql IMMUTABLE
AS $$
  SELECT rule = metric OR rule LIKE '%*%'
    AND metric LIKE replace(replace(replace(replace(rule, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%')
$$;

-- The value that stands for a metric in a run, by the rule that its program gave, or else the last one. A rule for the name itself
-- goes before patterns, and a long pattern before a short one. `declared` is the extreme that is best where the rule does not say.
-- Not a part of the statements that call it: there it would be planned each time, and taken for expensive, while it is
-- only called where a program gave a rule.
CREATE FUNCTION standing_value(run uuid, metric text, last_value float8, minimum float8, maximum float8, declared float8)
RETURNS float8 LANGUAGE plpgsql STABLE COST 1
AS $$
BEGIN
  RETURN coalesce((
    SELECT CASE rule.summary WHEN 'min' THEN $4 WHEN 'max' THEN $5
        WHEN 'mean' THEN (SELECT avg(point.value) FROM metric_series series CROSS JOIN LATERAL series_points(series.id) point
          WHERE series.run_id = $1 AND series.name = $2 AND point.value > '-Infinity' AND point.value < 'Infinity')
        WHEN 'best' THEN CASE rule.goal WHEN 'maximize' THEN $5 WHEN 'minimize' THEN $4 ELSE $6 END
      END
    FROM metric_definition rule WHERE rule.run_id = $1 AND rule_concerns(rule.name, $2)
    ORDER BY (rule.name = $2) DESC, length(rule.name) DESC, rule.name LIMIT 1
  ), $3);
END
$$;
