import { posix } from 'node:path';

/** Of keys and passwords, by convention: none of them is code. */
const SECRET_FILES = [
  /^\.env(?:\..+)?$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/i,
  /^credentials?(?:\.(?:json|ya?ml|toml|ini|cfg|csv|txt|xml))?$/i,
  /^(?:service[-_]?account|client[-_]?secret)[^/]*\.json$/i,
  /^\.(?:netrc|pgpass|pypirc|npmrc|htpasswd|git-credentials)$/i,
];
/** What shows others how such a file looks. */
const EXAMPLE = /\.(?:example|sample|template|dist)$/i;

/** Whether a file holds keys or passwords by its name: it stays where it is unless its owner says otherwise. */
export function looksSecret(path: string): boolean {
  const name = posix.basename(path);
  return !EXAMPLE.test(name) && SECRET_FILES.some((pattern) => pattern.test(name));
}
