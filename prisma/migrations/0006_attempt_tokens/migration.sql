-- AlterTable
ALTER TABLE "attempt" ADD COLUMN     "token_hash" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "attempt_token_hash_key" ON "attempt"("token_hash");

-- Earlier versions of `warren up` left a token of the role ADMIN that never ended.
UPDATE "api_token" SET "revoked_at" = now() WHERE "name" = 'warren up' AND "expires_at" IS NULL AND "revoked_at" IS NULL;
