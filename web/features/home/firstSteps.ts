export interface FirstStep {
  title: string;
  /** What comes of it. */
  result: string;
  command: string;
}

const DEFAULT_ORIGIN = 'http://127.0.0.1:4680';

/** Commands for a server without runs, to be copied into a shell, the last two in the folder of Warren. */
export function firstSteps(origin: string): FirstStep[] {
  const server = origin === DEFAULT_ORIGIN ? '' : `WARREN_API_URL=${origin} `;
  return [
    {
      title: 'Log from Python',
      result: 'A run with a curve, logged by a program of your own.',
      command: `curl -fsSO ${origin}/clients/warren.py && ${server}python3 -c '
import warren
run = warren.init(project="first", name="halving", config={"rate": 0.5})
for step in range(20):
    warren.log({"train/loss": run.config.rate ** step})
'`,
    },
    {
      title: 'Queue a preset',
      result: 'Three seeds of a recommender on generated data, executed by a worker.',
      command: `${server}npm run -s warren -- run mf-bpr --preset demo/mf-bpr-generated --seeds 1-3`,
    },
    {
      title: 'Search for parameters',
      result: 'A sweep of twelve trials, with what each parameter matters.',
      command: `${server}npm run -s warren -- sweep create --kind item-knn --dataset generated/markov-small \\
  --metric valid/ndcg@10 --trials 12 --set 'neighbours=int(5,100)' --set 'shrinkage=loguniform(0.1,100)'`,
    },
  ];
}
