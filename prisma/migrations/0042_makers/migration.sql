-- Who made a token or a link: the id of a person or of a token. What a person has made ends when the person is shut out.
ALTER TABLE api_token ADD COLUMN maker_id UUID, ADD COLUMN made_by TEXT NOT NULL DEFAULT '';
ALTER TABLE share_link ADD COLUMN maker_id UUID;
UPDATE share_link SET maker_id = one.id FROM (
  SELECT min(id::text)::uuid AS id, lower(email) AS email FROM app_user WHERE email <> '' GROUP BY lower(email) HAVING count(*) = 1
) one WHERE lower(share_link.made_by) = one.email;
