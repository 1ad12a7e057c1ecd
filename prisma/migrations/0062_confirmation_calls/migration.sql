-- Which call asked for a confirmation by agents: the same call, sent again, gives them no more seeds.
ALTER TABLE sweep_confirmation ADD COLUMN call_id uuid;
