import { coerceError } from '#src/base/lib/coerceError.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import {
  backendsSchema,
  inspectNumerics,
  type Verification,
  verificationSchema,
} from '#src/base/terminal/inspectNumerics.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { renderTable, type TableColumn } from '#src/base/terminal/table.ts';

type Verified = Extract<Verification, { skipped: null }>;
type Check = Verified['results'][number];

const COLUMNS: readonly TableColumn[] = [
  { header: 'backend' },
  { header: 'result' },
  { header: 'checks', align: 'right' },
  { header: 'worst deviation', align: 'right' },
  { header: 'of check', minimum: 12 },
  { header: 'seconds', align: 'right' },
  { header: 'device', minimum: 12 },
];

/** The body of `warren doctor --verify`: every backend computes the suite in a process of its own; exit code 1 when one fails. */
export async function verifyBackends(context: CommandContext, json: boolean): Promise<void> {
  const { terminal } = context;
  const { backends } = await inspectNumerics(context, ['backends'], backendsSchema);
  const verifications: Verification[] = [];
  for (const { name, present } of backends) {
    if (present && !json) terminal.say(`verifying ${name} …`);
    verifications.push(await verifyOne(context, name));
  }
  const failed = verifications.filter((verification) => !isRight(verification));
  if (failed.length > 0) context.exitCode = EXIT_FAILED;
  if (json) {
    terminal.print(JSON.stringify({ verified: failed.length === 0, backends: verifications }, null, 2));
    return;
  }
  const rows = verifications.map(rowOf);
  for (const line of renderTable(COLUMNS, rows, { width: terminal.width(), styleHeader: terminal.colours.bold })) {
    terminal.print(line);
  }
  for (const verification of failed) for (const line of describeFailure(verification)) terminal.print(line);
  terminal.print(
    failed.length === 0
      ? '\nEvery backend that was verified computes what it should.'
      : `\nFailed: ${failed.map(({ name }) => name).join(', ')}.`,
  );
}

/** A backend whose library takes its process down has failed. */
async function verifyOne(context: CommandContext, name: string): Promise<Verification> {
  try {
    return await inspectNumerics(context, ['verify', name], verificationSchema);
  } catch (thrown) {
    const error = coerceError(thrown).message;
    return { name, skipped: null, device: '', isGpu: false, version: '', error, results: [] };
  }
}

function isRight(verification: Verification): boolean {
  if (verification.skipped !== null) return true;
  return verification.error === null && verification.results.every(({ passed }) => passed);
}

/** How near a check came to its tolerance; one that threw comes first. */
function strain({ deviation, tolerance, passed }: Check): number {
  if (deviation !== null) return deviation / tolerance;
  return passed ? 0 : Number.POSITIVE_INFINITY;
}

function rowOf(verification: Verification): string[] {
  if (verification.skipped !== null) return [verification.name, 'skipped', '', '', verification.skipped, '', ''];
  const { name, results, device, error } = verification;
  const worst = results.reduce<Check | null>(
    (found, check) => (found === null || strain(check) > strain(found) ? check : found),
    null,
  );
  const right = results.filter(({ passed }) => passed).length;
  const seconds = results.reduce((sum, check) => sum + check.seconds, 0);
  return [
    name,
    isRight(verification) ? 'pass' : 'FAIL',
    error === null ? `${right}/${results.length}` : '',
    worst?.deviation == null ? '' : `${worst.deviation.toExponential(1)} of ${worst.tolerance.toExponential(0)}`,
    worst?.name ?? '',
    error === null ? seconds.toFixed(1) : '',
    device,
  ];
}

function describeFailure(verification: Verification): string[] {
  if (verification.skipped !== null) return [];
  const { name, error, results } = verification;
  if (error !== null) return [`${name}: ${error}`];
  return results
    .filter(({ passed }) => !passed)
    .map((check) => {
      const how = check.error ?? `deviates by ${check.deviation ?? 'infinity'}, more than ${check.tolerance}`;
      return `${name}: ${check.name}: ${how}`;
    });
}
