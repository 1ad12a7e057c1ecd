/** The page at `/mlflow/`: links that MLflow's client prints have what they lead to behind a `#`, which only a browser sees. */
export const OPEN_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Warren</title>
<script src="/mlflow/open.js" defer></script></head>
<body><p>This is the address of Warren for MLflow's clients. <a href="/">All runs</a></p></body></html>
`;

/** Leads from `#/experiments/1/runs/0123…` to the page of the run, from any other link to all runs. */
export const OPEN_SCRIPT = `'use strict';
const run = /runs\\/([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})/.exec(location.hash);
location.replace(run === null ? '/' : '/runs/' + run.slice(1).join('-'));
`;
