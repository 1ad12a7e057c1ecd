import { printable } from '#src/base/lib/printable.ts';
import { checkArtifacts, type WrongContent } from '#src/artifacts/checkArtifacts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { withStore } from './withStore.ts';

const MOST_SHOWN = 50;

/** The body of `warren doctor --artifacts`: whether every artifact has its file. Exit code 1 where one has not. */
export async function checkStore(context: CommandContext, options: { read: boolean; json: boolean }): Promise<void> {
  const { terminal } = context;
  await withStore(context, async ({ db, artifacts }) => {
    const onProgress = (message: string) => terminal.say(`warren: ${message}`);
    const check = await checkArtifacts({ db }, artifacts, { read: options.read, onProgress });
    if (check.wrong.length > 0) context.exitCode = EXIT_FAILED;
    if (options.json) {
      terminal.print(JSON.stringify({ place: artifacts.place, ...check }, null, 2));
      return;
    }
    for (const wrong of check.wrong.slice(0, MOST_SHOWN)) terminal.print(describe(wrong));
    if (check.wrong.length > MOST_SHOWN) terminal.print(`and ${check.wrong.length - MOST_SHOWN} more; --json has all`);
    const compared = `${check.files} files, ${formatBytes(check.bytes)}, in ${artifacts.place}`;
    const orphans = `${check.orphans.length} that nothing refers to, which the API removes by itself`;
    const right = options.read ? 'all are there and have the right content' : 'all are there with the right size';
    terminal.print(`${compared}: ${check.wrong.length === 0 ? right : `${check.wrong.length} are wrong`}; ${orphans}`);
  });
}

function describe({ sha256, runNumber, name, uses, expectedBytes, foundBytes }: WrongContent): string {
  const owner = runNumber === null ? 'a registered version' : `run #${runNumber}`;
  const more = uses > 1 ? ` and ${uses - 1} more` : '';
  const found =
    foundBytes === null
      ? 'is not there'
      : foundBytes === expectedBytes
        ? 'is damaged, and was set aside'
        : `has ${foundBytes} bytes instead of ${expectedBytes}`;
  return `${printable(name)} of ${owner}${more} ${found} (${sha256}); sending it again mends that`;
}
