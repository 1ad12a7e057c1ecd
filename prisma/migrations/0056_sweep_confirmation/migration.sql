-- Fresh seeds of a trial that agents are to execute, or have taken: nothing of theirs is queued.
CREATE TABLE sweep_confirmation (
  sweep_id uuid NOT NULL,
  seed integer NOT NULL,
  trial integer NOT NULL,
  run_id uuid,
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT sweep_confirmation_pkey PRIMARY KEY (sweep_id, seed),
  CONSTRAINT sweep_confirmation_sweep_id_trial_fkey FOREIGN KEY (sweep_id, trial)
    REFERENCES sweep_trial (sweep_id, number) ON DELETE CASCADE ON UPDATE CASCADE
);
