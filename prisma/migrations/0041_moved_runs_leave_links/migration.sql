-- Who shared a run may not share the project that it is moved to: its links end with the move. A trigger, because whoever
-- moves runs may not see the links.
CREATE FUNCTION forget_links_of_moved_run() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  EXECUTE format('DELETE FROM %I.share_link_run WHERE run_id = $1', TG_TABLE_SCHEMA) USING NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER moved_run_leaves_links AFTER UPDATE OF project_id ON run FOR EACH ROW
  WHEN (OLD.project_id IS DISTINCT FROM NEW.project_id) EXECUTE FUNCTION forget_links_of_moved_run();

DELETE FROM share_link_run shown USING share_link link, run
WHERE link.id = shown.share_link_id AND run.id = shown.run_id AND link.kind = 'run' AND run.project_id <> link.project_id;
