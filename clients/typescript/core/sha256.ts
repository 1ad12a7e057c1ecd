/** The sha256 of bytes in hexadecimal digits; null in a page that came by plain HTTP, which has nothing to count it with. */
export async function sha256Of(content: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!('subtle' in globalThis.crypto)) return null;
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
