-- When a person was here last: a session, which knows it, is gone when it has ended.
ALTER TABLE app_user ADD COLUMN seen_at TIMESTAMPTZ(3);
UPDATE app_user SET seen_at = greatest(signed_in_at, (SELECT max(used_at) FROM user_session WHERE user_id = app_user.id));
