-- Which calls have given a sweep more to do: the same call, sent again, adds nothing.
ALTER TABLE sweep ADD COLUMN extension_calls uuid[] NOT NULL DEFAULT '{}';
