import { badInput } from '#src/base/contracts/errors.ts';

const LONGEST = 500;

/**
 * Name of an artifact from the address after `/artifacts/<run>/`: a relative path of the run, decoded.
 * @throws WarrenError BAD_INPUT when it could point anywhere else.
 */
export function artifactName(encoded: string): string {
  const parts = encoded.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw badInput(`the artifact's name is not well encoded: ${JSON.stringify(part.slice(0, 100))}`, 'name');
    }
  });
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..' || /[/\\\p{Cc}]/u.test(part)) {
      const expected =
        'a relative path such as figures/loss.svg, without empty parts, "..", backslashes or control characters';
      throw badInput(`the artifact's name ${JSON.stringify(parts.join('/').slice(0, 200))} is not ${expected}`, 'name');
    }
  }
  const name = parts.join('/');
  if (Buffer.byteLength(name) > LONGEST) throw badInput(`the artifact's name is longer than ${LONGEST} bytes`, 'name');
  return name;
}
