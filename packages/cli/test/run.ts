/** Runs the command line as a user does: through the launcher, in its own process, with only the given environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command, CommanderError } from 'commander';
import { readEnvironment, readRemote } from '../../server/src/config/env.ts';
import { type ServiceOptions, startService, type TestService } from '../../server/test/harness/service.ts';
import { describeFailure } from '../src/output.ts';
import { createProgram } from '../src/program.ts';

export const LAUNCHER = fileURLToPath(new URL('../bin/reelay', import.meta.url));

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** Sent to standard input; default: empty. */
  input?: string;
  cwd?: string;
  /** Replaces {@link LAUNCHER}. */
  launcher?: string;
}

/** Runs a command until it exits. */
export async function reelay(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = begin(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part: Buffer) => {
    stdout += part;
  });
  child.stderr?.on('data', (part: Buffer) => {
    stderr += part;
  });
  child.stdin?.end(options.input ?? '');
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { status, stdout, stderr };
}

/**
 * Runs a command in this process, one at a time, because starting a process takes 0.4 s. Use {@link reelay} to test
 * signals, the launcher, the time zone and open handles.
 */
export function reelayHere(args: readonly string[], options: Pick<RunOptions, 'env' | 'input'> = {}): Promise<Ran> {
  const ran = previous.then(() => runHere(args, options));
  previous = ran.catch(() => {});
  return ran;
}
let previous: Promise<unknown> = Promise.resolve();

async function runHere(args: readonly string[], { env, input = '' }: RunOptions): Promise<Ran> {
  const streams = { stdout: captured(process.stdout), stderr: captured(process.stderr) };
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) });
  const exitCode = process.exitCode;
  process.exitCode = undefined;
  const given = { DATA_DIR: '/nonexistent/reelay', LOG_LEVEL: 'warn', ...env };
  const program = new Command().exitOverride();
  try {
    createProgram(program, { environment: () => readEnvironment(given), remote: () => readRemote(given) });
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
    if (!(error instanceof CommanderError)) process.stderr.write(`${describeFailure(error)}\n`);
  } finally {
    for (const { restore } of Object.values(streams)) restore();
    if (stdin) Object.defineProperty(process, 'stdin', stdin);
  }
  const status = Number(process.exitCode ?? 0);
  process.exitCode = exitCode;
  return { status, stdout: streams.stdout.text(), stderr: streams.stderr.text() };
}

/** Captures a stream's output instead of writing it. */
function captured(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const { write } = stream;
  let text = '';
  stream.write = (part: string | Uint8Array) => {
    text += part;
    return true;
  };
  return {
    text: () => text,
    restore: () => {
      stream.write = write;
    },
  };
}

/** Preloaded before the program. On exit it prints the loaded modules to standard error, after all other output. */
const NOTER = `import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
process.on('exit', () => process.stderr.write('LOADED ' + JSON.stringify(loaded)));`;

/**
 * Runs a command until it exits.
 * @returns also the modules that it loaded, as paths below `packages` or `node_modules`
 */
export async function reelayNoting(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran & { loaded: string[] }> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(NOTER)}`;
  const { stderr, ...ran } = await reelay(args, { ...options, env: { ...options.env, NODE_OPTIONS } });
  const [said = '', noted] = stderr.split('LOADED ');
  if (noted === undefined) throw new Error(`It did not tell what it loaded: ${stderr}`);
  const loaded = (JSON.parse(noted) as string[]).map((url) => url.replace(/^.*\/(?=(?:packages|node_modules)\/)/, ''));
  return { ...ran, stderr: said, loaded };
}

/**
 * Returns the one-line error of a command called in this process.
 * @throws Error if the command succeeds
 */
export const refusal = (command: Promise<void>): Promise<string> =>
  command.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => describeFailure(error),
  );

export interface Running {
  /**
   * Sends SIGTERM or another signal, and waits for the exit.
   * @returns the exit status
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** All output so far. */
  said(): string;
}

/**
 * Starts a command in the background.
 * @param hear called with all output so far
 */
export function reelayAs(
  args: readonly string[],
  options: RunOptions = {},
  hear: (said: string) => void = () => {},
): Running & { ended: Promise<number | null> } {
  const child = begin(args, options);
  let said = '';
  const listen = (part: Buffer) => {
    said += part;
    hear(said);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    ended,
    said: () => said,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts a long-running command and waits until its output matches the pattern. */
export async function reelayUntil(
  args: readonly string[],
  pattern: RegExp,
  options: RunOptions = {},
): Promise<Running & { found: RegExpExecArray }> {
  const heard = Promise.withResolvers<RegExpExecArray>();
  const running = reelayAs(args, options, (said) => {
    const match = pattern.exec(said);
    if (match) heard.resolve(match);
  });
  void running.ended.then((status) => heard.reject(new Error(`It ended with ${status}: ${running.said()}`)));
  return { ...running, found: await heard.promise };
}

function begin(args: readonly string[], { env, cwd, launcher }: RunOptions): ChildProcess {
  return spawn(launcher ?? LAUNCHER, args, {
    cwd: cwd ?? tmpdir(),
    env: { PATH: process.env.PATH, DATA_DIR: '/nonexistent/reelay', LOG_LEVEL: 'warn', ...env },
    stdio: 'pipe',
  });
}

export interface SharedService extends TestService {
  /** Environment that lets local commands share its database, files and key. */
  env: Record<string, string>;
  /** Environment for remote commands. */
  remoteEnv(key: string): Record<string, string>;
}

/** Starts a service whose database, files and secret key are shared with commands. */
export async function startShared(options: ServiceOptions = {}): Promise<SharedService> {
  const secretKey = randomBytes(32);
  const service = await startService({ ...options, secretKey });
  const { config } = service.context;
  return {
    ...service,
    env: {
      DATABASE_URL: addressOf(service.db.url),
      SECRET_KEY: secretKey.toString('base64'),
      STORAGE_URL: pathToFileURL(config.storageFolder).href,
      DATA_DIR: join(config.dataDir, 'of-commands'),
      PUBLIC_URL: config.publicUrl,
    },
    remoteEnv: (key) => ({ REELAY_URL: service.url, REELAY_API_KEY: key }),
  };
}

/** A URL with a user needs a host, even if the parameter `host` names the folder of a socket. */
function addressOf(url: string): string {
  return url.replace('@/', '@localhost/');
}
