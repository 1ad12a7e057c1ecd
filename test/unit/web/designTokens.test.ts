import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

const web = join(projectRoot(), 'web');
const tokens = readFileSync(join(web, 'app', 'styles', 'tokens.css'), 'utf8');
const sheets = readdirSync(web, { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.css') && !file.includes('node_modules') && !file.endsWith('tokens.css'))
  .map((file) => ({ file, text: readFileSync(join(web, file), 'utf8') }));

test('styles take sizes of type and colors from the tokens', () => {
  const found = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/font-size: *[1-9][\d.]*px|#[0-9a-f]{3,8}\b(?=[^{]*;)|\brgba?\(|\bhsla?\(/gi)].map(
      ([literal]) => `${file}: ${literal}`,
    ),
  );
  expect(found).toEqual([]);
});

test('a style names no token that is not there', () => {
  // Some are set by the code for one element.
  const code = readdirSync(web, { encoding: 'utf8', recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(join(web, file), 'utf8'));
  const known = new Set(
    [tokens, ...code].flatMap((text) => [...text.matchAll(/(--[\w-]+)'?\]?:/g)].map(([, name]) => name)),
  );
  const unknown = sheets.flatMap(({ file, text }) => {
    const own = new Set([...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    return [...text.matchAll(/var\((--[\w-]+)\)/g)].flatMap(([, name = '']) =>
      known.has(name) || own.has(name) ? [] : `${file}: ${name}`,
    );
  });
  expect(unknown).toEqual([]);
});

test('docs/design.md says what each size of type and each corner is', () => {
  const text = readFileSync(join(projectRoot(), 'docs', 'design.md'), 'utf8');
  const sizes = [...tokens.matchAll(/(--(?:size|radius)[\w-]*): (\d+)px/g)];
  expect(sizes.length).toBeGreaterThan(6);
  for (const [, name = '', pixels = ''] of sizes) {
    const line = text.split('\n').find((one) => one.includes(`\`${name}\``)) ?? '';
    expect(line, name).toContain(pixels);
  }
});
