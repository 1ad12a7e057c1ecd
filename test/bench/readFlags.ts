import { type ParseArgsConfig, parseArgs } from 'node:util';
import { coerceError } from '#src/base/lib/coerceError.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What a benchmark was called with. Ends the program where `--help` asks for its options, or where one is not known. */
export function readFlags<const T extends Options>(
  flags: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ args: string[]; options: T }>>['values'] {
  const lines = Object.entries(options).map(([name, { type, default: usual }]) =>
    [`  --${name}`, ...(type === 'string' ? ['VALUE'] : []), ...(usual === undefined ? [] : [`(${usual})`])].join(' '),
  );
  if (flags.includes('--help')) {
    console.log(['Options, with what they are otherwise:', ...lines].join('\n'));
    process.exit(0);
  }
  try {
    return parseArgs({ args: [...flags], options }).values;
  } catch (error) {
    console.error([`bench: ${coerceError(error).message}`, 'There are:', ...lines].join('\n'));
    process.exit(2);
  }
}
