/** No room on the disk, none in the user's quota, or a file beyond the size that the system allows. */
const CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a failed file operation says that there is no room left to write. */
export function isFullDisk(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && CODES.has(thrown.code);
}
