-- As before, also for runs without a lease: those of MLflow's clients.
-- What programs of external runs report, several calls in one round trip: `runs` has one of each call, `calls` and `names` what
-- the metrics are and of which call, and a metric's points are rows (`metrics` is the place of its name) or blocks, which
-- are parts of `block_values` and so on. A call of which anything is out of the ordinary (its run does not run or is locked, a
-- metric is new, a block does not follow what is there) is left alone and has no row in the answer.
CREATE OR REPLACE FUNCTION log_points(
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
    WHERE run.state = 'RUNNING' AND run.worker_id IS NULL AND run.deleted_at IS NULL
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
