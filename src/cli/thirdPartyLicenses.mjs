import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = 'node_modules/';

/** The license that packages name in their package.json without having its text beside it. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * The folders of the packages that these files belong to, as `node_modules/…`, sorted; those of other files are left out.
 * @param {Iterable<string>} files Paths, as bundlers name them; `\0vite/…` is a piece that vite itself puts into a bundle.
 */
export function packageFolders(files) {
  const folders = new Set();
  for (const file of files) {
    const path = file.replace(/^\0(vite|rolldown)\//, `${MODULES}$1/`);
    const at = path.lastIndexOf(MODULES);
    if (at < 0) continue;
    const inside = path.slice(at + MODULES.length).split('/');
    const name = inside.slice(0, inside[0].startsWith('@') ? 2 : 1).join('/');
    // a package may have packages of its own below it
    folders.add(path.slice(path.indexOf(MODULES), at + MODULES.length) + name);
  }
  return [...folders].sort();
}

/** The files of which anything came into what esbuild wrote. */
export function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0),
  );
}

/**
 * The text that names each package with its version, its license and the license's text, and its notices.
 * @param {string} root The project.
 * @param {readonly string[]} folders Of packages, as `packageFolders` gives them; equal ones count once.
 * @throws when a package has no text of its license, and names none whose text is known.
 */
export function licensesText(root, folders) {
  const parts = [...new Set(folders)].sort().map((folder) => licenseOf(join(root, folder)));
  const head =
    "Warren's programs and its dashboard contain code of these packages. Warren's own license is in LICENSE.";
  return `${[head, ...new Set(parts)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function licenseOf(folder) {
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name) && !/\.[cm]?[jt]s$/.test(name))
    .sort()
    .flatMap((name) => textsAt(join(folder, name)));
  if (texts.length === 0) {
    if (license !== 'MIT') throw new Error(`${name} has no text of its license "${license}": write it down here`);
    const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
    texts.push(`Copyright (c) ${holder.replace(/ *[<(].*/, '')}\n\n${MIT}`);
  }
  return [[`${name} ${version} (${license})`, ...(homepage ? [homepage] : [])].join('\n'), ...texts].join('\n\n');
}

/** The text of a file, or those of a folder's files. */
function textsAt(path) {
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => textsAt(join(path, name)));
  return [readFileSync(path, 'utf8').replaceAll('\r', '').trim()];
}
