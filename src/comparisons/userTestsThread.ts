import { parentPort } from 'node:worker_threads';
import { toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { computeUserTests, type UserTestsTask } from './computeUserTests.ts';
import type { FromUserTests, ToUserTests } from './startUserTests.ts';
import { type ArtifactBytes, userTableReader } from './userTables.ts';

type Answer = Exclude<ToUserTests, { type: 'task' }>;

/** Entry of the thread that makes tests over users, one task after another; it asks the thread that started it for bytes. */
invariant(parentPort !== null, 'the thread of user tests was started as a program of its own');
const port = parentPort;
let answered: (answer: Answer) => void = () => undefined;

function ask(question: Extract<FromUserTests, { type: 'size' | 'read' }>): Promise<Answer> {
  return new Promise((resolve) => {
    answered = resolve;
    port.postMessage(question);
  });
}

function refused({ code, message }: Extract<Answer, { type: 'failed' }>['error']): WarrenError {
  return new WarrenError(code, message);
}

const artifacts: ArtifactBytes = {
  async size(sha256) {
    const answer = await ask({ type: 'size', sha256 });
    if (answer.type === 'failed') throw refused(answer.error);
    invariant(answer.type === 'size', 'a size was asked for');
    return answer.sizeBytes;
  },
  async read(sha256, limit) {
    const answer = await ask({ type: 'read', sha256, limit });
    if (answer.type === 'failed') throw refused(answer.error);
    invariant(answer.type === 'bytes', 'bytes were asked for');
    return answer.bytes;
  },
};

const reader = userTableReader(artifacts);

async function work(task: UserTestsTask): Promise<void> {
  const reply: FromUserTests = await computeUserTests(task, reader).then(
    (tests) => ({ type: 'done', tests }),
    (thrown: unknown) => ({ type: 'failed', error: toErrorRecord(thrown) }),
  );
  port.postMessage(reply);
}

port.on('message', (message: ToUserTests) => {
  if (message.type === 'task') void work(message.task);
  else answered(message);
});
