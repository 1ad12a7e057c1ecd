-- People make tokens for themselves, which act as they may at the time.
-- AlterTable
ALTER TABLE "api_token" ADD COLUMN "is_own" BOOLEAN NOT NULL DEFAULT false;
