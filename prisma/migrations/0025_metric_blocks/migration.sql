-- CreateTable
CREATE TABLE "metric_block" (
    "series_id" BIGINT NOT NULL,
    "first_step" BIGINT NOT NULL,
    "last_step" BIGINT NOT NULL,
    "points" INTEGER NOT NULL,
    "stride" BIGINT NOT NULL,
    "first_flush" INTEGER NOT NULL,
    "last_flush" INTEGER NOT NULL,
    "minimum" DOUBLE PRECISION,
    "maximum" DOUBLE PRECISION,
    "last_value" DOUBLE PRECISION NOT NULL,
    "last_time" TIMESTAMPTZ(3) NOT NULL,
    "first_time" TIMESTAMPTZ(3) NOT NULL,
    "steps" BIGINT[],
    "values" DOUBLE PRECISION[],
    "times" INTEGER[],
    "wide_times" BIGINT[],
    "flushes" INTEGER[],

    CONSTRAINT "metric_block_pkey" PRIMARY KEY ("series_id","first_step")
);

-- CreateIndex
CREATE INDEX "metric_block_series_id_last_flush_idx" ON "metric_block"("series_id", "last_flush");

-- AddForeignKey
ALTER TABLE "metric_block" ADD CONSTRAINT "metric_block_series_id_fkey" FOREIGN KEY ("series_id") REFERENCES "metric_series"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The points of one block, by step. Arrays that say nothing are null: `steps` where they are `stride` apart, `flushes` where all
-- points came in one, and one of `times` and `wide_times`.
CREATE FUNCTION block_points(block metric_block)
RETURNS TABLE (step int8, value float8, "time" timestamptz, flush int4) LANGUAGE sql STABLE
AS $$
  SELECT block.first_step + coalesce(one.step, (one.place - 1) * block.stride), one.value,
    block.first_time + coalesce(one.short_time, one.wide_time) * interval '1 millisecond', coalesce(one.flush, block.last_flush)
  FROM unnest(block.values, block.steps, block.times, block.wide_times, block.flushes)
    WITH ORDINALITY AS one (value, step, short_time, wide_time, flush, place)
$$;

-- The points of a series between two steps, in no order.
CREATE FUNCTION series_points(series int8, from_step int8 DEFAULT -9007199254740992, to_step int8 DEFAULT 9007199254740992)
RETURNS TABLE (step int8, value float8, "time" timestamptz, flush int4) LANGUAGE sql STABLE
AS $$
  SELECT loose.step, loose.value, loose.time, loose.flush FROM metric_point loose
  WHERE loose.series_id = series AND loose.step >= from_step AND loose.step <= to_step
  UNION ALL
  SELECT point.step, point.value, point.time, point.flush
  FROM metric_block block CROSS JOIN LATERAL block_points(block) point
  WHERE block.series_id = series AND block.last_step >= from_step AND block.first_step <= to_step
    AND point.step >= from_step AND point.step <= to_step
$$;

-- The points of a series that flushes after one, up to and with another, wrote; in no order.
CREATE FUNCTION flushed_points(series int8, after_flush int4, up_to_flush int4 DEFAULT 2147483647)
RETURNS TABLE (step int8, value float8, "time" timestamptz, flush int4) LANGUAGE sql STABLE
AS $$
  SELECT loose.step, loose.value, loose.time, loose.flush FROM metric_point loose
  WHERE loose.series_id = series AND loose.flush > after_flush AND loose.flush <= up_to_flush
  UNION ALL
  SELECT point.step, point.value, point.time, point.flush
  FROM metric_block block CROSS JOIN LATERAL block_points(block) point
  WHERE block.series_id = series AND block.last_flush > after_flush AND block.first_flush <= up_to_flush
    AND point.flush > after_flush AND point.flush <= up_to_flush
$$;

-- Whether a block of a series has a point at a step.
CREATE FUNCTION block_has(series int8, step int8) RETURNS boolean LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT coalesce((
    SELECT block.last_step >= $2 AND CASE WHEN block.steps IS NULL
      THEN $2 = block.first_step OR ($2 - block.first_step) % block.stride = 0 ELSE $2 - block.first_step = ANY(block.steps) END
    FROM metric_block block WHERE block.series_id = $1 AND block.first_step <= $2 ORDER BY block.first_step DESC LIMIT 1
  ), false)
$$;

-- Makes rows of the blocks of a series that have steps between two. For use while the run's row is locked.
CREATE FUNCTION loosen_points(series int8, from_step int8, to_step int8 DEFAULT 9007199254740992) RETURNS void LANGUAGE sql
SET enable_seqscan = off
AS $$
  WITH loosened AS (
    DELETE FROM metric_block block WHERE block.series_id = series AND block.last_step >= from_step AND block.first_step <= to_step
    RETURNING block.*
  )
  INSERT INTO metric_point (series_id, step, value, time, flush)
  SELECT series, point.step, point.value, point.time, point.flush
  FROM loosened CROSS JOIN LATERAL block_points(loosened::metric_block) point
$$;

-- Makes blocks of at most `size` points of the first rows of a series, at most `most`, with the blocks that they fall into and a
-- last one that is not full. Where no rows fall, blocks stay. Answers how many rows there were. For use while the run's row is
-- locked.
CREATE FUNCTION pack_points(series int8, size int4, most int4) RETURNS bigint LANGUAGE sql
-- a plan that was made while the table was empty would read all of it for each point later
SET jit = off SET enable_seqscan = off
AS $$
  WITH loose AS (
    DELETE FROM metric_point WHERE series_id = series AND step <= coalesce((
      SELECT step FROM metric_point WHERE series_id = series ORDER BY step OFFSET most - 1 LIMIT 1), 9223372036854775807)
    RETURNING step, value, time, flush
  ), touched AS (
    DELETE FROM metric_block block WHERE block.series_id = series AND (
      block.last_step >= (SELECT min(step) FROM loose) AND block.first_step <= (SELECT max(step) FROM loose)
        AND EXISTS (SELECT FROM loose WHERE loose.step >= block.first_step AND loose.step <= block.last_step)
      OR block.points < size AND block.first_step = (SELECT max(first_step) FROM metric_block WHERE series_id = series))
    RETURNING block.*
  ), point AS (
    -- no block may reach over another, so points are parted where earlier blocks began
    SELECT one.*, (SELECT first_step FROM metric_block WHERE series_id = series AND first_step <= one.step
      ORDER BY first_step DESC LIMIT 1) AS gap
    FROM (SELECT * FROM loose UNION ALL
      SELECT packed.* FROM touched CROSS JOIN LATERAL block_points(touched::metric_block) packed) one
  ), placed AS (
    SELECT point.*, row_number() OVER in_order - 1 AS number, step - lag(step) OVER in_order AS distance,
      (extract(epoch FROM time) * 1000)::int8 AS milliseconds
    FROM point WINDOW in_order AS (PARTITION BY gap ORDER BY step)
  ), summed AS (
    SELECT min(step) AS first_step, max(step) AS last_step, count(*)::int AS points,
      min(flush) AS first_flush, max(flush) AS last_flush, min(time) AS first_time, min(milliseconds) AS first_ms,
      max(milliseconds) - min(milliseconds) < 2000000000 AS is_short,
      min(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS minimum,
      max(value) FILTER (WHERE value > '-Infinity' AND value < 'Infinity') AS maximum,
      coalesce(min(distance) FILTER (WHERE number % size > 0), 1) AS stride,
      coalesce(max(distance) FILTER (WHERE number % size > 0), 1) AS longest,
      array_agg(step ORDER BY step) AS steps, array_agg(value ORDER BY step) AS values,
      array_agg(flush ORDER BY step) AS flushes, array_agg(milliseconds ORDER BY step) AS times,
      array_agg(time ORDER BY step) AS exact_times
    FROM placed GROUP BY gap, number / size
  ), packed AS (
    INSERT INTO metric_block (series_id, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum,
      last_value, last_time, first_time, steps, values, times, wide_times, flushes)
    SELECT series, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum, values[points],
      exact_times[points], first_time,
      CASE WHEN stride < longest THEN ARRAY(SELECT one - first_step FROM unnest(steps) WITH ORDINALITY AS given (one, at) ORDER BY at) END,
      values,
      CASE WHEN is_short THEN ARRAY(SELECT (one - first_ms)::int4 FROM unnest(times) WITH ORDINALITY AS given (one, at) ORDER BY at) END,
      CASE WHEN NOT is_short THEN ARRAY(SELECT one - first_ms FROM unnest(times) WITH ORDINALITY AS given (one, at) ORDER BY at) END,
      CASE WHEN first_flush < last_flush THEN flushes END
    FROM summed
  )
  SELECT count(*) FROM loose
$$;

-- What programs of external runs report, several calls in one round trip: `runs` has one of each call, `calls` and `names` what
-- the metrics are and of which call, and a metric's points are rows (`metrics` is the place of its name) or blocks, which
-- are parts of `block_values` and so on. A call of which anything is out of the ordinary (its run does not run or is locked, a
-- metric is new, a block does not follow what is there) is left alone and has no row in the answer.
CREATE FUNCTION log_points(
  runs uuid[], calls int4[], names text[], metrics int4[], steps int8[], point_values float8[], times int8[],
  blocks int4[], block_points int4[], block_first_steps int8[], block_last_steps int8[], block_strides int8[],
  block_minima float8[], block_maxima float8[], block_last_values float8[], block_first_times int8[], block_last_times int8[],
  block_steps int8[], block_values float8[], block_times int4[]
) RETURNS TABLE (call int4, inserted int4, sweep text, sweep_trial int4) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  taken int4[];
  refused int4[];
  series_ids int8[];
  flushes int4[];
  counts int4[];
  told int4;
BEGIN
  -- each statement sees what was committed before it: after this one, all of what concerns the runs
  SELECT array_agg(wanted.place) INTO taken FROM (
    SELECT given.place FROM unnest(runs) WITH ORDINALITY AS given (id, place) JOIN run ON run.id = given.id
    WHERE run.state = 'RUNNING' AND run.worker_id IS NULL AND run.lease_seconds IS NOT NULL AND run.deleted_at IS NULL
    ORDER BY run.id FOR NO KEY UPDATE OF run SKIP LOCKED
  ) wanted;

  SELECT array_agg(series.id ORDER BY given.place), array_agg(DISTINCT given.call) FILTER (WHERE series.id IS NULL)
  INTO series_ids, refused
  FROM unnest(calls, names) WITH ORDINALITY AS given (call, name, place)
  LEFT JOIN metric_series series ON series.run_id = runs[given.call] AND series.name = given.name;
  IF cardinality(blocks) > 0 THEN
    SELECT refused || array_agg(calls[given.metric]) INTO refused
    FROM (SELECT metric, min(first_step) AS first_step FROM unnest(blocks, block_first_steps) AS one (metric, first_step)
      GROUP BY metric) given
    JOIN metric_series series ON series.id = series_ids[given.metric]
    WHERE series.point_count > 0 AND series.last_step >= given.first_step;
  END IF;
  IF refused IS NOT NULL THEN
    SELECT array_agg(one) INTO taken FROM unnest(taken) one WHERE one <> ALL (refused);
  END IF;
  IF taken IS NULL THEN RETURN; END IF;

  WITH changed AS (
    UPDATE run SET last_heard_at = now(), lease_expires_at = now() + run.lease_seconds * interval '1 second',
      metric_cursor = run.metric_cursor + 1
    FROM unnest(taken) AS one (place) JOIN run before ON before.id = runs[one.place] WHERE run.id = before.id
    RETURNING one.place, run.id, run.project_id, run.metric_cursor, before.last_heard_at
  )
  SELECT array_agg(changed.metric_cursor ORDER BY given.place), count(CASE
    WHEN changed.last_heard_at IS NULL OR now() - changed.last_heard_at >= interval '5 seconds'
    THEN pg_notify('warren_changes', json_build_object('type', 'run', 'runId', changed.id, 'projectId', changed.project_id)::text)::text END)
  INTO flushes, told
  FROM generate_series(1, cardinality(runs)) AS given (place) LEFT JOIN changed ON changed.place = given.place;

  WITH loose AS (
    INSERT INTO metric_point (series_id, step, value, time, flush)
    SELECT series.id, given.step, given.value, to_timestamp(given.time / 1000.0), flushes[calls[given.metric]]
    FROM unnest(metrics, steps, point_values, times) AS given (metric, step, value, time)
    JOIN metric_series series ON series.id = series_ids[given.metric]
    WHERE calls[given.metric] = ANY (taken)
      AND NOT (series.last_step >= given.step AND block_has(series.id, given.step))
    ON CONFLICT DO NOTHING RETURNING series_id, step, value, time
  ), packed AS (
    INSERT INTO metric_block (series_id, first_step, last_step, points, stride, first_flush, last_flush, minimum, maximum,
      last_value, last_time, first_time, steps, values, times)
    SELECT series_ids[given.metric], given.first_step, given.last_step, given.points, greatest(1, given.stride),
      flushes[calls[given.metric]], flushes[calls[given.metric]], nullif(given.minimum, 'NaN'), nullif(given.maximum, 'NaN'),
      given.last_value, to_timestamp(given.last_time / 1000.0), to_timestamp(given.first_time / 1000.0),
      CASE WHEN given.stride = 0 THEN block_steps[given.behind - given.points + 1 : given.behind] END,
      block_values[given.behind - given.points + 1 : given.behind], block_times[given.behind - given.points + 1 : given.behind]
    FROM (
      SELECT *, sum(points) OVER (ORDER BY place)::int4 AS behind
      FROM unnest(blocks, block_points, block_first_steps, block_last_steps, block_strides, block_minima, block_maxima,
        block_last_values, block_first_times, block_last_times) WITH ORDINALITY AS one (metric, points, first_step, last_step,
        stride, minimum, maximum, last_value, first_time, last_time, place)
    ) given
    WHERE calls[given.metric] = ANY (taken)
    RETURNING series_id, points, last_step, last_value, last_time, minimum, maximum
  ), summary AS (
    SELECT series_id, sum(points)::int4 AS points, max(last_step) AS last_step, min(minimum) AS minimum, max(maximum) AS maximum,
      (array_agg(last_value ORDER BY last_step DESC))[1] AS last_value, (array_agg(last_time ORDER BY last_step DESC))[1] AS last_time
    FROM (
      SELECT series_id, 1 AS points, step AS last_step, value AS last_value, time AS last_time,
        CASE WHEN value > '-Infinity' AND value < 'Infinity' THEN value END AS minimum,
        CASE WHEN value > '-Infinity' AND value < 'Infinity' THEN value END AS maximum
      FROM loose UNION ALL SELECT * FROM packed
    ) written GROUP BY series_id
  ), updated AS (
    UPDATE metric_series series SET point_count = series.point_count + summary.points,
      last_value = CASE WHEN series.point_count = 0 OR summary.last_step > series.last_step THEN summary.last_value ELSE series.last_value END,
      last_time = CASE WHEN series.point_count = 0 OR summary.last_step > series.last_step THEN summary.last_time ELSE series.last_time END,
      last_step = CASE WHEN series.point_count = 0 OR summary.last_step > series.last_step THEN summary.last_step ELSE series.last_step END,
      minimum = least(series.minimum, summary.minimum), maximum = greatest(series.maximum, summary.maximum)
    FROM summary WHERE series.id = summary.series_id RETURNING series.run_id, summary.points
  ), counted AS (
    SELECT run_id, sum(points)::int4 AS points FROM updated GROUP BY run_id
  )
  SELECT array_agg(coalesce(counted.points, 0) ORDER BY given.place) INTO counts
  FROM unnest(runs) WITH ORDINALITY AS given (id, place) LEFT JOIN counted ON counted.run_id = given.id;

  PERFORM pg_notify('warren_changes', json_build_object('type', 'metrics', 'runId', runs[one], 'cursor', flushes[one])::text)
  FROM unnest(taken) one WHERE counts[one] > 0;

  RETURN QUERY SELECT one.place, counts[one.place], run.sweep_id::text, run.sweep_trial
  FROM unnest(taken) AS one (place) JOIN run ON run.id = runs[one.place];
END
$$;
