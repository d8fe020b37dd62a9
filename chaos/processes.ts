/** Supervised processes of the service, which a run can kill, freeze and restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { basics, ROOT, sourceCommand } from '../bench/kit/service.ts';

export interface Member {
  name: string;
  /** Sends SIGKILL; the supervisor restarts the process. */
  kill(): Promise<void>;
  /** Sends SIGSTOP, and SIGCONT after this time. */
  freeze(ms: number): Promise<void>;
  /**
   * Exits of a running service that the run did not cause, described in one line each. A start that fails because the
   * database is unavailable does not count.
   */
  crashes(): readonly string[];
  /**
   * Sends SIGTERM and waits for the exit.
   * @returns duration in ms
   */
  stop(): Promise<number>;
}

/** Delay between an exit and the restart, in ms. */
const RESTART_AFTER_MS = 500;
/** Time limit of a graceful stop, in ms. */
const STOP_WITHIN_MS = 40_000;

/** Printed by the service once it has started. */
const STARTED = 'Reelay is at';

/**
 * Starts a process and keeps it running until `stop`.
 * @param folder for its log
 */
export function supervise(name: string, folder: string, env: Record<string, string>): Member {
  const command = sourceCommand();
  let child: ChildProcess | null = null;
  let stopping = false;
  const crashes: string[] = [];
  let killed = false;
  const start = () => {
    const path = join(folder, `${name}.log`);
    const log = openSync(path, 'a');
    const before = statSync(path).size;
    killed = false;
    child = spawn(command.program, command.args, {
      cwd: ROOT,
      env: { ...basics(), ...command.env, ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('exit', (code, signal) => {
      if (stopping) return;
      const output = readFileSync(path).subarray(before);
      // A process that exits while the kill is on its way has an exit code instead of a signal.
      if (!(killed && signal === 'SIGKILL') && output.includes(STARTED))
        crashes.push(`${name} ended (${signal ?? code}) after: ${output.toString().trimEnd().split('\n').at(-1)}`);
      setTimeout(() => stopping || start(), RESTART_AFTER_MS);
    });
  };
  start();
  return {
    name,
    crashes: () => crashes,
    async kill() {
      const victim = child;
      if (!victim || victim.exitCode !== null || victim.signalCode !== null) return;
      killed = true;
      const gone = once(victim, 'exit');
      victim.kill('SIGKILL');
      await gone;
    },
    async freeze(ms) {
      const victim = child;
      victim?.kill('SIGSTOP');
      await pause(ms);
      victim?.kill('SIGCONT');
    },
    async stop() {
      stopping = true;
      const last = child;
      if (!last || last.exitCode !== null || last.signalCode !== null) return 0;
      const began = performance.now();
      const gone = once(last, 'exit');
      last.kill('SIGTERM');
      const timer = setTimeout(() => last.kill('SIGKILL'), STOP_WITHIN_MS);
      await gone;
      clearTimeout(timer);
      return performance.now() - began;
    },
  };
}
