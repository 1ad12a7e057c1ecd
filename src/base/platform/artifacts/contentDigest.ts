import { createHash } from 'node:crypto';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { PutOptions, StoredArtifact } from './artifactStore.ts';

/** Counts and hashes content while it comes. */
export interface ContentDigest {
  /** @throws WarrenError TOO_LARGE as soon as it is more than may come. */
  add(chunk: Uint8Array): void;
  /** What came. @throws WarrenError BAD_INPUT when it is not what was promised. */
  end(): StoredArtifact;
}

/** The digest of content that is being put. */
export function contentDigest({
  maximumBytes,
  expectedSha256,
}: Pick<PutOptions, 'maximumBytes' | 'expectedSha256'>): ContentDigest {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    add(chunk) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maximumBytes) {
        throw new WarrenError('TOO_LARGE', `an artifact may have ${maximumBytes} bytes at most`);
      }
      hash.update(chunk);
    },
    end() {
      const sha256 = hash.digest('hex');
      if (expectedSha256 !== undefined && expectedSha256 !== sha256) {
        throw badInput(`the content's sha256 is ${sha256}, expected ${expectedSha256}: send it again`, 'sha256');
      }
      return { sha256, sizeBytes };
    },
  };
}
