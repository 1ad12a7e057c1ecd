import { createCommandContext } from '../base/terminal/commandContext.ts';
import { runCommandLine } from './runCommandLine.ts';
import { surroundingsOfProcess } from './surroundings.ts';

const exitCode = await runCommandLine(createCommandContext(surroundingsOfProcess()));
// a command that has become another program leaves it to that one
if (exitCode !== 0) process.exitCode = exitCode;
