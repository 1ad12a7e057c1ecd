import type { DoctorQuery } from '#src/generated/api.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { Finding } from '#src/base/terminal/finding.ts';

/** Below this an upload of ordinary size may fail. */
const SCARCE_BYTES = 2 ** 30;

/** Disk use of the artifact store, as the API tells it. */
export function storageFinding(storage: DoctorQuery['storage']): Finding {
  const subject = 'Artifacts';
  const { bytes, files, referencedBytes, damagedFiles, freeBytes, trashRuns, trashBytes, problem, place } = storage;
  const damaged = damagedFiles === 0 ? '' : `, ${damagedFiles} damaged and set aside`;
  const trash = trashRuns === 0 ? '' : `; ${trashRuns} runs in the trash hold ${formatBytes(trashBytes)}`;
  const stored = `${formatBytes(bytes)} in ${files} files, ${formatBytes(referencedBytes)} of it in use`;
  const room = freeBytes === null ? `in ${place}` : `${formatBytes(freeBytes)} free on the volume`;
  const found = `${stored}${damaged}; ${room}${trash}`;
  if (problem !== null) return { subject, level: 'note', found: `${found}; ${problem}` };
  if (freeBytes !== null && freeBytes < SCARCE_BYTES) {
    return {
      subject,
      level: 'note',
      found,
      advice: 'free some space; `warren clean --older-than 30d` empties the trash',
    };
  }
  if (damagedFiles > 0) {
    return { subject, level: 'note', found, advice: 'the disk may be failing; storing a damaged file again mends it' };
  }
  return { subject, level: 'ok', found };
}
