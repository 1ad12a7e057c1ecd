export interface Example {
  title: string;
  query: string;
  /** JSON. */
  variables: string;
}

/** What the explorer offers to begin with. */
export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    title: 'Best runs',
    query: `query BestRuns($filter: String) {
  runs(filter: $filter, orderBy: { by: "metric.\\"test/ndcg@10\\"" }, first: 5) {
    totalCount
    edges {
      node {
        number
        name
        state
        metrics(names: ["test/ndcg@10"]) {
          lastValue
        }
      }
    }
  }
}
`,
    variables: '{ "filter": "state = SUCCEEDED" }',
  },
  {
    title: 'One run with curves and log',
    query: `query Run($id: ID!) {
  run(id: $id) {
    name
    state
    configuration {
      kind
      datasetName
      parameters
    }
    history(maxPoints: 50) {
      name
      steps
      values
    }
    logs(first: 20) {
      lines {
        level
        text
      }
    }
    artifacts {
      name
      sizeBytes
      url
    }
  }
}
`,
    variables: '{ "id": "1" }',
  },
  {
    title: 'Projects and their newest runs',
    query: `{
  projects(first: 10) {
    edges {
      node {
        name
        runCount
        runs(first: 3) {
          edges {
            node {
              number
              name
              state
            }
          }
        }
      }
    }
  }
}
`,
    variables: '{}',
  },
  {
    title: 'Is one configuration better?',
    query: `query Compare($ids: [ID!]!) {
  compareRuns(ids: $ids) {
    pairedTests(metrics: ["test/ndcg@10"]) {
      name
      tests {
        n
        mean
        baselineMean
        test {
          difference
          low
          high
          p
        }
        reason
      }
    }
  }
}
`,
    variables: '{ "ids": ["1", "2"] }',
  },
  {
    title: 'Queue a run',
    query: `mutation Queue($input: EnqueueRunsInput!) {
  enqueueRuns(input: $input) {
    number
    state
  }
}
`,
    variables: '{ "input": { "kind": "item-knn", "dataset": { "name": "generated/markov-small" } } }',
  },
  {
    title: 'Follow all runs',
    query: `subscription Follow {
  runChanged {
    number
    name
    state
    progress
  }
}
`,
    variables: '{}',
  },
];
