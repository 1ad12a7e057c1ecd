-- An address is somebody's name only where the provider has verified it. What was kept before is not known to be: the next sign-in says so.
ALTER TABLE "app_user" ADD COLUMN "email_verified" boolean NOT NULL DEFAULT false;
