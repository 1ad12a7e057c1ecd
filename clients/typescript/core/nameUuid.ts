/** The UUID (version 5) of a name in a namespace. @throws Error in a page that has not come by HTTPS */
export async function uuidFromName(namespace: string, name: string): Promise<string> {
  if (!('subtle' in globalThis.crypto))
    throw new Error('id: a name wants a page that has come by HTTPS; a UUID goes without');
  const space = Uint8Array.from(namespace.replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const text = new TextEncoder().encode(name);
  const joined = new Uint8Array([...space, ...text]);
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', joined)).subarray(0, 16);
  const marked = bytes.map((byte, place) =>
    place === 6 ? (byte & 15) | 0x50 : place === 8 ? (byte & 63) | 0x80 : byte,
  );
  return dashed(Array.from(marked, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** A UUID as it is written, of its 32 digits. */
export function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
