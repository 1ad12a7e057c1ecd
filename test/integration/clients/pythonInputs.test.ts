import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });
const { runOf, logTexts } = loggedRuns(api);

describe.skipIf(python === null)('what programs give to the Python client', () => {
  const { run, start } = python!;

  it('is taken as it is meant: one tag, numbers as names, records and arrays among the parameters', async () => {
    const id = await run(`
import argparse, dataclasses, warren
@dataclasses.dataclass
class Net:
    width: int = 8
    sizes: tuple = (1, 2)
class Array:
    size = 2
    def tolist(self): return [0.5, 1]
    def item(self): raise ValueError("two")
class Long(Array):
    size = 5000
    def __str__(self): return "long"
r = warren.init(project="mine", name=5, tags="baseline", config={
    "net": Net(), "rest": {"a": argparse.Namespace(b=1)}, "array": Array(), "long": Long()})
r.finish(); print(r.id, end="")
`);
    expect(await runOf(id)).toMatchObject({
      name: '5',
      tags: ['baseline'],
      configuration: {
        parameters: { net: { width: 8, sizes: [1, 2] }, rest: { a: { b: 1 } }, array: [0.5, 1], long: 'long' },
      },
    });
  });

  it('a level of another name costs no line of the log', async () => {
    const id = await run(`
import warren
r = warren.init(project="mine")
for i in range(20): r.log_text("line %d" % i)
warren.log_text("hot", level="WARNING"); r.alert("down", level="FATAL")
try: r.log_text("x", level="loud")
except ValueError as error: r.log_text(str(error))
r.finish(); print(r.id, end="")
`);
    const texts = await logTexts(id);
    expect(texts).toEqual(expect.arrayContaining(['line 0', 'line 19', 'hot', 'down']));
    expect(texts.at(-1)).toBe("log_text: level 'loud' is not one of debug, info, warn, error");
  });

  it('an unnamed run is called as its script or its notebook', async () => {
    const names = await run(`
import os, sys, warren
for program in ("nets/train.py", "nets/__main__.py", "-c"):
    sys.argv = [program]
    with warren.init(project="mine") as r: print(r.name)
sys.modules["ipykernel"] = sys
os.environ["JPY_SESSION_NAME"] = "work/deep dive.ipynb"
with warren.init(project="mine") as r: print(r.name)
with warren.init(project="mine", name="own") as r: print(r.name)
`);
    expect(names.trimEnd().split('\n')).toEqual(['train', 'nets', 'external', 'deep dive', 'own']);
  });

  it('a token that an open server does not know is told once, and the run is recorded', async () => {
    const { code, stderr } = await start(`
import warren
for token in ("wrong", "wrong"): warren.init(project="mine", token=token).finish()
`).ended;
    expect([code, stderr.match(/does not know this token/g)?.length]).toEqual([0, 1]);
  });

  it('after the end is told once to be recorded nowhere', async () => {
    const { stderr } = await start(`
import warren
r = warren.init(project="mine")
r.finish()
r.log({"late": 1}); r.log({"late": 2}); r.config.late = 1
`).ended;
    expect(stderr.match(/the run has ended/g)).toHaveLength(1);
    expect(stderr).toContain('log: the run has ended, so that nothing is recorded: warren.init() begins another');
  });

  it.each([
    ['warren.init(seed="x")', "seed: 'x' is not a whole number from 0 to 2**31 - 1"],
    ['warren.init(mode="offline").log({"a": 1}, step="x")', "log: step 'x' is not a whole number from 0 to 2**53"],
    [
      'warren.Image("/nofile.png")',
      "Image: no file can be read at '/nofile.png' (No such file or directory): expected a picture's path, its bytes, an",
    ],
    [
      'warren.Audio("/")',
      "Audio: no file can be read at '/' (Is a directory): expected the path or the bytes of a file, or samples",
    ],
    ['warren.Array("x" * 5000)', '(File name too long): expected an array, or the path of an .npy file'],
  ])('%s says what would be right', async (call, message) => {
    const { code, stderr } = await start(`import warren\n${call}`).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
