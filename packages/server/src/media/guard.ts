import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

/**
 * How resource limits are applied to a child process: util-linux's `prlimit`, the shell's `ulimit`, or only the wall
 * clock.
 */
export type Limiter =
  | {
      kind: 'prlimit';
      path: string;
      /**
       * util-linux's `setpriv` terminates the child when this process dies (`PR_SET_PDEATHSIG`, prctl(2)). Needed
       * because ffmpeg ignores a broken pipe.
       */
      setpriv?: string;
    }
  | { kind: 'ulimit'; shell: string }
  | { kind: 'none' };

/** Resource limits of one child process. */
export interface Limits {
  /** Address space in bytes. */
  addressBytes: number;
  /** CPU time in seconds. */
  cpuSeconds: number;
  /** Wall-clock time in ms, then SIGKILL. */
  wallMs: number;
  /** Maximum bytes of stdout, then SIGKILL. */
  outputBytes: number;
  /** Maximum size in bytes of a file it writes. */
  fileBytes?: number;
  /** Added niceness, 0 to 19. */
  nice?: number;
}

export interface GuardOptions extends Limits {
  limiter: Limiter;
  signal?: AbortSignal;
  /** Environment of the program. Default: empty. */
  env?: Readonly<Record<string, string>>;
  /** Receives stdout line by line instead of collecting it; returning `false` ends the program. */
  onLine?: (line: string) => boolean;
}

export interface GuardedRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Empty when `onLine` received it. */
  stdout: string;
  /** At most the first and the last 32 KiB. */
  stderr: string;
  /** Whether the wall-clock or CPU limit ended it. */
  timedOut: boolean;
  /** Whether it printed too much, or `onLine` ended it. */
  stopped: boolean;
}

const STDERR_KEEP = 32 * 1024;
const MAX_LINE = 16 * 1024;

/**
 * The command that starts `program` with its limits. CPU: SIGXCPU at the limit, SIGKILL two seconds later. macOS has no
 * address space limit; the shell continues without it.
 */
export function limitedCommand(limiter: Limiter, limits: Limits, program: string, args: readonly string[]): string[] {
  const cpu = Math.ceil(limits.cpuSeconds);
  if (limiter.kind === 'prlimit') {
    const file = limits.fileBytes === undefined ? [] : [`--fsize=${limits.fileBytes}`];
    const caps = [`--as=${limits.addressBytes}`, `--cpu=${cpu}:${cpu + 2}`, '--core=0', ...file];
    const orphan = limiter.setpriv === undefined ? [] : [limiter.setpriv, '--pdeathsig', 'KILL', '--'];
    return [limiter.path, ...caps, '--', ...orphan, program, ...args];
  }
  if (limiter.kind === 'ulimit') {
    const file = limits.fileBytes === undefined ? '' : ` ulimit -f ${Math.ceil(limits.fileBytes / 512)} 2>/dev/null;`;
    const caps = `ulimit -c 0; ulimit -S -t ${cpu}; ulimit -H -t ${cpu + 2};${file}`;
    const script = `${caps} ulimit -v ${Math.ceil(limits.addressBytes / 1024)} 2>/dev/null; exec "$@"`;
    return [limiter.shell, '-c', script, 'sh', program, ...args];
  }
  return [program, ...args];
}

/**
 * Runs a program with limits, without our environment and without input.
 * @throws the signal's reason once the program has ended, or a plain Error when it cannot be started
 */
export async function runGuarded(program: string, args: readonly string[], options: GuardOptions): Promise<GuardedRun> {
  options.signal?.throwIfAborted();
  const [file, ...rest] = limitedCommand(options.limiter, options, program, args);
  // A separate process group, so that children of a wrapper script are killed too, and the server alone handles Ctrl-C.
  const detached = process.platform !== 'win32';
  const child = spawn(file ?? program, rest, {
    env: { ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    detached,
  });
  const kill = () => killGroup(child, detached);
  let timedOut = false;
  let stopped = false;
  const stop = () => {
    stopped = true;
    kill();
  };
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, options.wallMs);
  const stdout = options.onLine ? lineReader(options.onLine, stop) : collector();
  let printed = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > options.outputBytes) stop();
    if (!stopped) stdout.take(chunk);
  });
  const stderr = headAndTail(STDERR_KEEP);
  child.stderr.on('data', stderr.take);
  options.signal?.addEventListener('abort', kill, { once: true });
  lowerPriority(child.pid, options.nice);
  try {
    const end = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('error', (cause) => reject(new Error(`${program} could not be started`, { cause })));
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    options.signal?.throwIfAborted();
    // A limiter exits with 126 or 127 when it cannot execute the program.
    if (options.limiter.kind !== 'none' && (end.code === 126 || end.code === 127)) {
      throw new Error(`${program} could not be started: ${stderr.text().trim()}`);
    }
    if (!stopped) stdout.end();
    return {
      ...end,
      stdout: stdout.text(),
      stderr: stderr.text(),
      timedOut: timedOut || end.signal === 'SIGXCPU',
      stopped,
    };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', kill);
  }
}

function killGroup(child: ChildProcess, isGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (isGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}

function lowerPriority(pid: number | undefined, nice: number | undefined): void {
  if (pid === undefined || nice === undefined) return;
  try {
    setPriority(pid, nice);
  } catch {
    // The process has ended, or the system forbids it. Neither matters.
  }
  // A separate session may be scheduled as its own autogroup. Then the niceness of its members has no effect outside it
  // (sched(7)).
  writeFile(`/proc/${pid}/autogroup`, String(nice)).catch(() => {});
}

function collector() {
  const chunks: Buffer[] = [];
  return {
    take: (chunk: Buffer) => void chunks.push(chunk),
    end: () => {},
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

function lineReader(onLine: (line: string) => boolean, stop: () => void) {
  let rest = '';
  return {
    take(chunk: Buffer): void {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE || !lines.every(onLine)) stop();
    },
    end: () => void (rest !== '' && onLine(rest)),
    text: () => '',
  };
}

function headAndTail(keep: number) {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  return {
    take(chunk: Buffer): void {
      const free = keep - head.length;
      if (free > 0) head = Buffer.concat([head, chunk.subarray(0, free)]);
      if (chunk.length > free) tail = Buffer.concat([tail, chunk.subarray(Math.max(0, free))]).subarray(-keep);
    },
    text: () => Buffer.concat([head, tail]).toString('utf8'),
  };
}
