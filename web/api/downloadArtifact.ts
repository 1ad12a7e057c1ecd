import { saveFile } from '../lib/saveFile.ts';
import { ApiError } from './apiError.ts';
import { authToken } from './authToken.ts';
import { authorizationHeaders } from './request.ts';

/** Whether a plain link cannot fetch artifacts, for it cannot carry the token. */
export function needsTokenToDownload(): boolean {
  return authToken.get() !== null;
}

/** Saves an artifact's bytes under a file name, the token sent along. */
export async function downloadArtifact(url: string, fileName: string): Promise<void> {
  const response = await fetch(url, { headers: authorizationHeaders() });
  if (!response.ok) throw new ApiError('NOT_FOUND', `The artifact cannot be read (status ${response.status}).`);
  saveFile(await response.blob(), fileName);
}
