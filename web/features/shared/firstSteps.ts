/** A command or a program to be copied, and what comes of it. */
export interface FirstStep {
  title: string;
  result: string;
  command: string;
}

const DEFAULT_ORIGIN = 'http://127.0.0.1:4680';
/** The client as one file, beside the program. */
const fetchClient = (origin: string) => `curl -fsSO ${origin}/clients/warren.py`;
const serverOf = (origin: string) => (origin === DEFAULT_ORIGIN ? '' : `WARREN_API_URL=${origin} `);
const quoted = (text: string) => JSON.stringify(text);

/** A Python program for a shell that has not the client yet; single quotes in it would end it. */
function pythonStep(origin: string, program: string): string {
  return `${fetchClient(origin)} && ${serverOf(origin)}python3 -c '\n${program.replaceAll("'", `'"'"'`)}\n'`;
}

/** A first run of a program of one's own. */
export function pythonRun(origin: string, project: string): FirstStep {
  return {
    title: 'Log from Python',
    result: 'A run with a curve, logged by a program of your own.',
    command: pythonStep(
      origin,
      `import warren
run = warren.init(project=${quoted(project)}, name="halving", config={"rate": 0.5})
for step in range(20):
    warren.log({"train/loss": run.config.rate ** step})`,
    ),
  };
}

/** Commands for a server or a project without runs, to be copied into a shell, the last two in the folder of Warren. */
export function firstSteps(origin: string, project: string | null = null): FirstStep[] {
  const within = project === null ? '' : ` --project '${project.replaceAll("'", `'"'"'`)}'`;
  return [
    pythonRun(origin, project ?? 'first'),
    {
      title: 'Queue a preset',
      result: 'Three seeds of a recommender on generated data, executed by a worker.',
      command: `${serverOf(origin)}npm run -s warren -- run mf-bpr --preset demo/mf-bpr-generated --seeds 1-3${within}`,
    },
    {
      title: 'Search for parameters',
      result: 'A sweep of twelve trials, with what each parameter matters.',
      command: `${serverOf(origin)}npm run -s warren -- sweep create --kind item-knn --dataset generated/markov-small \\
  --metric valid/ndcg@10 --trials 12 --set 'neighbours=int(5,100)' --set 'shrinkage=loguniform(0.1,100)'${within}`,
    },
  ];
}

/** A sweep over a function of one's own. */
export function pythonSweep(origin: string, project: string | null): FirstStep {
  return {
    title: 'Search over a Python function',
    result: 'Eight trials of a function of your own, executed where you start it.',
    command: pythonStep(
      origin,
      `import warren
def train():
    run = warren.init()
    warren.log({"valid/loss": (run.config.lr - 0.1) ** 2})
sweep = warren.sweep({
    "method": "tpe", "run_cap": 8, "metric": {"name": "valid/loss"},
    "parameters": {"lr": {"distribution": "log_uniform_values", "min": 1e-4, "max": 1}},
}, project=${quoted(project ?? 'first')})
warren.agent(sweep, train)`,
    ),
  };
}

/** A file of a run, registered as a model. */
export function pythonModel(origin: string): FirstStep {
  return {
    title: 'Register from Python',
    result: 'A file of a run becomes version 1 of a model.',
    command: pythonStep(
      origin,
      `import warren
run = warren.init(project="first", name="train")
open("model.txt", "w").write("weights")
run.log_artifact("model.txt", register="ranker", aliases=["best"])`,
    ),
  };
}

/** Vectors of items, with what is known of them. */
export function pythonEmbeddings(origin: string): FirstStep {
  return {
    title: 'Log from Python',
    result: 'Vectors of items, a row each, and a table with their titles in the same order.',
    command: pythonStep(
      origin,
      `import numpy, warren
run = warren.init(project="first", name="vectors")
numpy.save("item-embeddings.npy", numpy.random.randn(200, 16).astype("float32"))
open("items.csv", "w").write("row,title\\n" + "".join("%d,Item %d\\n" % (i, i) for i in range(200)))
run.log_artifact("item-embeddings.npy")
run.log_artifact("items.csv")`,
    ),
  };
}

/** How a program takes a registered version: its files, and the note that it took them. */
export function pythonUse(version: string): FirstStep {
  return {
    title: 'Use it in Python',
    result: 'Downloads the files; under init it is noted which run took them.',
    command: `import warren\npath = warren.use_artifact(${quoted(version)})`,
  };
}
