/** Runs a worker as a separate process, so that it can be killed or frozen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface WorkerProcessOptions {
  databaseUrl: string;
  platform: string;
  /** URL of the folder with connector and simulator, if it is not the platform's own. */
  home?: string;
  /** Name of the simulator's variant. */
  variant?: string;
  simulatorUrl: string;
  folder: string;
  linksUrl: string;
  /** base64 */
  key: string;
  /** File that contains the offset of the test clocks, in ms. */
  shiftFile: string;
}

export interface WorkerProcess {
  pid: number;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Sends SIGKILL without waiting. */
  killNow(): void;
  stop(): void;
  continue(): void;
  /** Its output on standard error. */
  errors(): string;
}

/** Starts the process and waits until it polls for work. */
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
