-- New with every restore: clients send again what they had sent to a database whose backup is older.
ALTER TABLE "database_identity" ADD COLUMN "epoch" uuid NOT NULL DEFAULT gen_random_uuid();
