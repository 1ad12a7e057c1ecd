-- Makes blocks of at most `size` points of all rows of series that have no blocks yet: what short runs leave, in one statement for
-- the series of many runs. Series with blocks are left alone and have no row in the answer. For use while the runs' rows are locked.
CREATE FUNCTION pack_short_series(series int8[], size int4) RETURNS TABLE (id int8, points int8) LANGUAGE sql
-- a plan that was made while the table was empty would read all of it later
SET jit = off SET enable_seqscan = off
AS $$
  WITH fresh AS MATERIALIZED (
    SELECT given.id FROM unnest(series) AS given (id)
    WHERE NOT EXISTS (SELECT FROM metric_block block WHERE block.series_id = given.id)
  ), loose AS (
    DELETE FROM metric_point point USING fresh WHERE point.series_id = fresh.id
    RETURNING point.series_id, point.step, point.value, point.time, point.flush
  ), placed AS (
    SELECT loose.*, row_number() OVER in_order - 1 AS number, step - lag(step) OVER in_order AS distance,
      (extract(epoch FROM time) * 1000)::int8 AS milliseconds
    FROM loose WINDOW in_order AS (PARTITION BY series_id ORDER BY step)
  ), summed AS (
    SELECT series_id, min(step) AS first_step, max(step) AS last_step, count(*)::int AS points,
      min(flush) AS first_flush, max(flush) AS last_flush, min(time) AS first_time, min(milliseconds) AS first_ms,
      max(milliseconds) - min(milliseconds) < 2000000000 AS is_short,
      min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
      max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum,
      coalesce(min(distance) FILTER (WHERE number % size > 0), 1) AS stride,
      coalesce(max(distance) FILTER (WHERE number % size > 0), 1) AS longest,
      array_agg(step ORDER BY step) AS steps, array_agg(value ORDER BY step) AS values,
      array_agg(flush ORDER BY step) AS flushes, array_agg(milliseconds ORDER BY step) AS times,
      array_agg(time ORDER BY step) AS exact_times
    FROM placed GROUP BY series_id, number / size
  ), packed AS (
    INSERT INTO metric_block (series_id, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum,
      last_value, last_time, first_time, steps, values, times, wide_times, flushes)
    SELECT series_id, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum, values[points],
      exact_times[points], first_time,
      CASE WHEN stride < longest THEN ARRAY(SELECT one - first_step FROM unnest(steps) WITH ORDINALITY AS given (one, at) ORDER BY at) END,
      values,
      CASE WHEN is_short THEN ARRAY(SELECT (one - first_ms)::int4 FROM unnest(times) WITH ORDINALITY AS given (one, at) ORDER BY at) END,
      CASE WHEN NOT is_short THEN ARRAY(SELECT one - first_ms FROM unnest(times) WITH ORDINALITY AS given (one, at) ORDER BY at) END,
      CASE WHEN first_flush < last_flush THEN flushes END
    FROM summed
  )
  SELECT series_id, count(*) FROM loose GROUP BY series_id
$$;
