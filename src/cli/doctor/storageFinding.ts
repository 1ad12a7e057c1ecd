import type { DoctorQuery } from '#src/generated/api.ts';
import { formatBytes } from '../terminal/formatNumber.ts';
import type { Finding } from './finding.ts';

/** Below this an upload of ordinary size may fail. */
const SCARCE_BYTES = 2 ** 30;

/** Disk use of the artifact store, as the API tells it. */
export function storageFinding(storage: DoctorQuery['storage']): Finding {
  const subject = 'Artifacts';
  const { bytes, files, referencedBytes, damagedFiles, freeBytes, trashRuns, trashBytes, problem } = storage;
  const damaged = damagedFiles === 0 ? '' : `, ${damagedFiles} damaged and set aside`;
  const trash = trashRuns === 0 ? '' : `; ${trashRuns} runs in the trash hold ${formatBytes(trashBytes)}`;
  const stored = `${formatBytes(bytes)} in ${files} files, ${formatBytes(referencedBytes)} of it in use`;
  const found = `${stored}${damaged}; ${formatBytes(freeBytes)} free on the volume${trash}`;
  if (problem !== null) return { subject, level: 'note', found: `${found}; ${problem}` };
  if (freeBytes < SCARCE_BYTES) {
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
