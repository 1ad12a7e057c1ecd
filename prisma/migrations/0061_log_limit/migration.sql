-- How much an attempt has logged, and from which line on the older ones make way for the newest.
ALTER TABLE attempt ADD COLUMN log_bytes bigint NOT NULL DEFAULT 0, ADD COLUMN log_cut integer;
