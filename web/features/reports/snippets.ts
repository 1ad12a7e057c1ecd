/** What the buttons above the text put into it. */
export const SNIPPETS: readonly { label: string; text: string }[] = [
  {
    label: 'Figure',
    text: '```warren-panel\nmetric: valid/loss\nfilter: state = SUCCEEDED\ngroup by: configuration\n```\n',
  },
  {
    label: 'Table',
    text: '```warren-table\nmetrics: test/ndcg@10\nfilter: state = SUCCEEDED\ngroup by: configuration\n```\n',
  },
  { label: 'Comparison', text: '```warren-comparison\nruns: 1-6\nmetrics: test/ndcg@10\n```\n' },
  { label: 'Cite a run', text: '[[run 1]]' },
];
