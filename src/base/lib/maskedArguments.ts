/** What stands in the place of a secret, here and in logs. */
const MASK = '…';

/** Words that end the name of a secret: `--db-password`, `HF_TOKEN`, `apiKey`, but not `--max-tokens` or `--password-file`. */
const SECRET =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secret|token|credentials?|auth|authorization|apikey|(?:api|access|secret|private|auth|encryption|signing)_key)$/;

/** Names of the tokens that tokenizers know: `--pad-token`, `eos_token`. */
const OF_TOKENIZER = /(?:^|_)(?:bos|cls|end|eos|image|mask|pad|sep|special|start|stop|unk)_token$/;

/**
 * A program's arguments with `…` for what looks secret by its name, to be recorded: `--password x`, `--api-key=x`, `TOKEN=x`,
 * `-H 'Authorization: x'`, and passwords in addresses. The Python client has the same rule.
 */
export function maskedArguments(given: readonly string[]): string[] {
  let follows = false;
  return given.map((argument) => {
    const isValue = follows && !argument.startsWith('--');
    follows = false;
    if (isValue) return MASK;
    const [, name, sign] = /^([^\s=:]+)(=|:\s+)(.+)$/s.exec(argument) ?? [];
    if (name !== undefined && isSecret(name)) return `${name}${sign}${MASK}`;
    follows = argument.startsWith('-') && name === undefined && isSecret(argument);
    return argument.replace(/(:\/\/[^/\s:@]*):[^/\s@]+@/g, `$1:${MASK}@`);
  });
}

function isSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
  return SECRET.test(words) && !OF_TOKENIZER.test(words);
}
