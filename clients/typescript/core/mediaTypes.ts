/** Types of files by the end of their names, as Python guesses them. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ json: 'application/json', pdf: 'application/pdf', zip: 'application/zip' },
  ...{ txt: 'text/plain', diff: 'text/x-diff', csv: 'text/csv', tsv: 'text/tab-separated-values' },
  ...{ html: 'text/html', htm: 'text/html', css: 'text/css', md: 'text/markdown', xml: 'application/xml' },
  ...{ js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' },
  ...{
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    svg: 'image/svg+xml',
    webp: 'image/webp',
  },
  ...{
    bmp: 'image/bmp',
    mp4: 'video/mp4',
    webm: 'video/webm',
    wav: 'audio/x-wav',
    mp3: 'audio/mpeg',
    ogg: 'audio/ogg',
  },
};

/** The type that a file has by its name. */
export function mediaTypeOf(name: string): string {
  return TYPES[/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}
