import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { storePlace } from '#src/base/platform/artifacts/storePlace.ts';
import { copyArtifacts } from '#src/artifacts/copyArtifacts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { withStore } from './withStore.ts';

/** The body of `warren artifacts copy`. Exit code 1 where something could not be read. */
export async function copyStore(context: CommandContext, options: { to: string; json: boolean }): Promise<void> {
  const { terminal } = context;
  const place = storePlace(options.to, context.environment().bucketSettings);
  await withStore(context, async ({ db, artifacts, signal }) => {
    const to = await openArtifactStore(place);
    const onProgress = (message: string) => terminal.say(`warren: ${message}`);
    const copied = await copyArtifacts({ db }, { from: artifacts, to }, { onProgress, signal });
    if (copied.left.length > 0) context.exitCode = EXIT_FAILED;
    if (options.json) {
      terminal.print(JSON.stringify({ from: artifacts.place, to: to.place, ...copied }, null, 2));
      return;
    }
    for (const { sha256, reason } of copied.left) terminal.print(`${sha256} stays behind: ${reason}`);
    const present = copied.present === 0 ? '' : `; ${copied.present} were there already`;
    terminal.print(`${copied.files} files, ${formatBytes(copied.bytes)}, copied to ${to.place}${present}`);
    terminal.print(
      `Next: stop the API, run this again for what came meanwhile, and start it with WARREN_ARTIFACTS=${to.place}`,
    );
  });
}
