import type { Response } from 'express';
import { type ErrorCode, shownMessage } from '#src/contracts/errors.ts';

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = { BAD_INPUT: 400, FORBIDDEN: 403, UNAVAILABLE: 503 };
const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Says why nobody was signed in, as a page without script. */
export function sendSignInPage(response: Response, code: ErrorCode, message: string): void {
  const shown = shownMessage(message).replace(/[&<>"']/g, (mark) => MARKS[mark] ?? '');
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Not signed in · Warren</title></head>
<body><main><h1>You are not signed in</h1><p>${shown}</p>
<p><a href="/auth/sign-in">Sign in</a> · <a href="/">To the first page</a></p></main></body></html>
`;
  response
    .status(STATUS[code] ?? 500)
    .set({ 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' })
    .send(page);
}
