/** Runs benchmark programs as child processes. Each gets one argument and sends one message when it is ready. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { basics, endings, likeService, ROOT } from './service.ts';

export interface Program<Ready, Question, Answer> {
  pid: number;
  ready: Ready;
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * @param name file in `bench/programs`
 * @throws Error if it exits before it is ready
 */
export async function startProgram<Ready, Question = never, Answer = never>(
  name: string,
  options: unknown,
): Promise<Program<Ready, Question, Answer>> {
  const { program, args, env } = likeService(fileURLToPath(new URL(`../programs/${name}`, import.meta.url)));
  const child = fork(args.at(-1) ?? '', [JSON.stringify(options)], {
    execPath: program,
    execArgv: args.slice(0, -1),
    cwd: ROOT,
    env: { ...basics(), ...env },
    serialization: 'advanced',
  });
  let waiting: PromiseWithResolvers<unknown> | null = null;
  child.on('message', (message) => waiting?.resolve(message));
  child.once('exit', () => waiting?.reject(new Error(`The program ${name} ended.`)));
  const next = () => {
    waiting = Promise.withResolvers();
    return waiting.promise;
  };
  const ready = (await next()) as Ready;
  return {
    pid: child.pid ?? 0,
    ready,
    async ask(question) {
      const response = next();
      child.send(question as object);
      return (await response) as Answer;
    },
    stop: endings(child).kill,
  };
}
