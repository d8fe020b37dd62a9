/** A worker in a process of its own, so that it can really be killed or frozen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface WorkerProcessOptions {
  databaseUrl: string;
  platform: string;
  /** Address of the folder with connector and simulator, where that is not the platform's own. */
  home?: string;
  /** Name of the simulator's variant. */
  variant?: string;
  simulatorUrl: string;
  folder: string;
  linksUrl: string;
  /** base64 */
  key: string;
  /** Holds the ms by which the clocks have been moved. */
  shiftFile: string;
}

export interface WorkerProcess {
  pid: number;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** The same without waiting. */
  killNow(): void;
  stop(): void;
  continue(): void;
  /** What it wrote to standard error. */
  errors(): string;
}

/** Starts it and waits until it looks for work. */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const main = fileURLToPath(new URL('./worker-main.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', main, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  const gone = once(child, 'exit');
  const ready = child.stdout && once(child.stdout, 'data').then(() => true);
  if (!(await Promise.race([ready, gone.then(() => false)]))) throw new Error(`The worker did not start: ${errors}`);
  const pid = child.pid ?? 0;
  return {
    pid,
    killNow: () => void child.kill('SIGKILL'),
    async kill() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await gone;
    },
    stop: () => void child.kill('SIGSTOP'),
    continue: () => void child.kill('SIGCONT'),
    errors: () => errors,
  };
}
