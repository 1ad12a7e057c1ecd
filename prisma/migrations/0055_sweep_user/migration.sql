-- Who started a sweep: its runs, which are made later, name them, too.
ALTER TABLE sweep ADD COLUMN user_name text;
