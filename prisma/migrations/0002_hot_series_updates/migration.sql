-- DropIndex
DROP INDEX "metric_series_name_last_value_idx";

-- CreateIndex
CREATE INDEX "metric_series_name_idx" ON "metric_series"("name");

-- Every flush updates the summary of each of its series. With no index on what changes and room left in the page, the new
-- version of the row stays beside the old one and no index is written (HOT).
ALTER TABLE "metric_series" SET (fillfactor = 80);
