-- The entries of a metric lie by its value, so that the best runs and those beyond a bound are read without all others. Updates of
-- summaries write as much as before: each wrote this index already, for the values that it holds beside its key.
DROP INDEX "metric_series_name_run_id_idx";

-- CreateIndex
CREATE INDEX "metric_series_name_last_value_idx" ON "metric_series"("name", "last_value", "run_id") INCLUDE ("minimum", "maximum", "point_count");
