import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { MediaTools } from '../../src/media/tools.ts';
import { provided } from '../harness/provided.ts';

const MAIN = fileURLToPath(new URL('service-main.ts', import.meta.url));

export interface ProcessOptions {
  folder: string;
  databaseUrl: string;
  leastFreeBytes: number;
  /** Default: `api`. */
  role?: 'all' | 'api' | 'worker';
  /** Default: false. */
  sandbox?: boolean;
  /** Public URL of the simulators; default: its own. */
  publicUrl?: string;
  /** Default: located at startup. */
  tools?: MediaTools;
  /** 32 bytes in hexadecimal, if other processes must share the key; default: its own. */
  secretKey?: string;
}

/** A service in a process that can be killed. */
export interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** Names of the files in its storage. @param first a command, see service-main.ts */
  files(first?: string): Promise<string[]>;
  /** Kills it and waits until it has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns its exit code */
  stop(): Promise<number | null>;
}

/** @param inside a command that runs the process, with the command line of the service as its last argument */
export async function startServiceProcess(
  options: ProcessOptions,
  inside: readonly string[] = [],
): Promise<ServiceProcess> {
  const command = [...inside, process.execPath, MAIN, JSON.stringify({ tools: provided('tools'), ...options })];
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    if (line.done) throw new Error('The service has ended.');
    return line.value;
  };
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    url: await next(),
    child,
    async files(first = '') {
      child.stdin.write(`${first}\n`);
      return JSON.parse(await next()) as string[];
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    stop() {
      child.kill('SIGTERM');
      return gone;
    },
  };
}
