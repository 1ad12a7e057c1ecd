import type { Response } from 'express';
import { type ErrorCode, shownMessage } from '#src/base/contracts/errors.ts';

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = { BAD_INPUT: 400, FORBIDDEN: 403, UNAVAILABLE: 503 };
const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The look of the dashboard in attributes: what else a page loads, the policy of pages forbids, and no file of the dashboard has a fixed name. */
const STYLES = {
  page:
    'margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;box-sizing:border-box;' +
    'font:13px/1.5 system-ui,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,sans-serif;' +
    'background:light-dark(#f5f6f7,#101317);color:light-dark(#1a1e24,#e4e8ec)',
  panel:
    'width:min(520px,100%);box-sizing:border-box;padding:24px;border:1px solid light-dark(#d8dde2,#2c333c);' +
    'border-radius:8px;background:light-dark(#fff,#171b20)',
  name: 'margin:0;font-weight:600;color:light-dark(#0b6670,#62c4cd)',
  title: 'margin:4px 0 8px;font-size:20px',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: 'display:block;margin-top:8px;padding:8px;border-radius:5px;background:light-dark(#eef1f3,#222830);font-family:ui-monospace,Liberation Mono,Menlo,Consolas,monospace;font-size:12px',
  actions: 'display:flex;align-items:center;gap:12px;margin:0',
  button:
    'padding:5px 12px;border-radius:5px;text-decoration:none;background:light-dark(#0b6670,#62c4cd);color:light-dark(#fff,#08292c)',
  link: 'color:light-dark(#0b6670,#62c4cd)',
};

/** Says why nobody was signed in, as a page without script. */
export function sendSignInPage(response: Response, code: ErrorCode, message: string): void {
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Not signed in · Warren</title><link rel="icon" href="/favicon.svg"></head>
<body style="${STYLES.page}"><main style="${STYLES.panel}"><p style="${STYLES.name}">Warren</p>
<h1 style="${STYLES.title}">You are not signed in</h1><p style="${STYLES.text}">${sentence(shownMessage(message))}</p>
<p style="${STYLES.actions}"><a style="${STYLES.button}" href="/auth/sign-in">Sign in</a>
<a style="${STYLES.link}" href="/">To the first page</a></p></main></body></html>
`;
  response
    .status(STATUS[code] ?? 500)
    .set({ 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' })
    .send(page);
}

/** A message as HTML: a sentence, but an address at its start stays as it is; a command at its end stands in a line of its own. */
function sentence(message: string): string {
  const shown = message.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? '');
  const [first = ''] = shown.split(' ', 1);
  const begun = first.includes('@') ? shown : shown.charAt(0).toUpperCase() + shown.slice(1);
  const command = /: (warren \S.*)$/.exec(begun);
  if (command === null) return /[.!?]$/.test(begun) ? begun : `${begun}.`;
  return `${begun.slice(0, command.index)}: <code style="${STYLES.code}">${command[1]}</code>`;
}
