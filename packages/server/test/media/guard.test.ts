import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, type Limiter, limitedCommand, runGuarded } from '../../src/media/guard.ts';
import { FULL } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';

const MiB = 1024 * 1024;
const { limiter: found } = provided('tools');
const limiters: [string, Limiter][] = [
  [`this system's limiter (${found.kind})`, found],
  ['the shell', { kind: 'ulimit', shell: '/bin/sh' }],
];
const options = (limiter: Limiter, more: Partial<GuardOptions> = {}): GuardOptions => ({
  addressBytes: 4096 * MiB,
  cpuSeconds: 10,
  wallMs: 20_000,
  outputBytes: MiB,
  limiter,
  ...more,
});
const sh = (script: string, guard: GuardOptions) => runGuarded('/bin/sh', ['-c', script], guard);

describe.each(limiters)('a program guarded by %s', (_, limiter) => {
  test('returns its output, errors and exit code', async () => {
    const run = await sh('echo out; echo err >&2; exit 3', options(limiter));
    expect(run).toEqual({ code: 3, signal: null, stdout: 'out\n', stderr: 'err\n', timedOut: false, stopped: false });
  });

  test('has an empty environment and no input', async () => {
    const run = await runGuarded('/usr/bin/env', [], options(limiter));
    // An intermediate shell adds its own variables.
    expect(run.stdout.split('\n').filter((line) => !/^(PWD|OLDPWD|SHLVL|_)?(=|$)/.test(line))).toEqual([]);
    expect((await sh('read x && echo input', options(limiter))).stdout).toBe('');
  });

  test('is limited to its address space', async () => {
    const allocate = ['-c', 'dd if=/dev/zero of=/dev/null bs=100M count=1'];
    expect((await runGuarded('/bin/sh', allocate, options(limiter))).code).toBe(0);
    expect((await runGuarded('/bin/sh', allocate, options(limiter, { addressBytes: 50 * MiB }))).code).not.toBe(0);
  });

  test('has its CPU seconds plus two', async () => {
    const run = await sh('ulimit -S -t; ulimit -H -t', options(limiter, { cpuSeconds: 7 }));
    expect(run.stdout).toBe('7\n9\n');
  });

  test('leaves no core and respects its file size limit', async () => {
    const run = await sh('ulimit -c; head -c 100000 /dev/zero > /dev/null', options(limiter, { fileBytes: 512 }));
    expect(run).toMatchObject({ stdout: '0\n', code: 0 });
    expect((await sh('ulimit -f', options(limiter, { fileBytes: 512 }))).stdout).toBe('1\n');
  });
});

// Each takes a second of CPU; differences between limiters are tested above.
test.each(FULL ? limiters : limiters.slice(0, 1))(
  'a program guarded by %s respects its CPU limit',
  async (_, limiter) => {
    const run = await sh('while :; do :; done', options(limiter, { cpuSeconds: 1 }));
    expect(run).toMatchObject({ timedOut: true, signal: 'SIGXCPU' });
  },
);

describe('a guarded program', () => {
  const guard = (more: Partial<GuardOptions> = {}) => options(found, more);

  test('is killed at the wall-clock limit', async () => {
    const run = await runGuarded('/bin/sleep', ['30'], guard({ wallMs: 50 }));
    expect(run).toMatchObject({ timedOut: true, signal: 'SIGKILL', code: null });
  });

  test('is killed at the output limit without using memory', async () => {
    const run = await runGuarded('/usr/bin/yes', [], guard({ outputBytes: 100_000 }));
    expect(run).toMatchObject({ stopped: true, signal: 'SIGKILL', timedOut: false });
    expect(run.stdout.length).toBeLessThan(300_000);
  });

  test('keeps the start and the end of its errors', async () => {
    const run = await sh('echo first >&2; head -c 3000000 /dev/zero >&2; echo last >&2', guard());
    expect(run.stderr.startsWith('first')).toBe(true);
    expect(run.stderr.endsWith('last\n')).toBe(true);
    expect(run.stderr.length).toBeLessThan(70_000);
  });

  test('can be read line by line and ended', async () => {
    const lines: string[] = [];
    await sh('printf "a\\nb\\nc"', guard({ onLine: (line) => lines.push(line) > 0 }));
    expect(lines).toEqual(['a', 'b', 'c']);
    let count = 0;
    const run = await runGuarded('/usr/bin/yes', [], guard({ onLine: () => ++count < 10, outputBytes: 100 * MiB }));
    expect(run).toMatchObject({ stopped: true, stdout: '' });
    expect(count).toBe(10);
  });

  test('is ended by a line that never ends', async () => {
    const run = await sh('head -c 200000 /dev/zero; sleep 30', guard({ onLine: () => true }));
    expect(run.stopped).toBe(true);
  });

  test('is killed by an abort signal and throws its reason', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const onLine = () => {
      stop.abort(reason);
      return true;
    };
    await expect(sh('echo started; sleep 30', guard({ signal: stop.signal, onLine }))).rejects.toBe(reason);
    await expect(sh('echo never', guard({ signal: stop.signal }))).rejects.toBe(reason);
  });

  test.each([['prlimit', found] as const, ['none', { kind: 'none' }] as const])(
    'that does not exist is a service error (%s)',
    async (_, limiter) => {
      await expect(runGuarded('/nonexistent/program', [], options(limiter))).rejects.toThrow('could not be started');
    },
  );

  test('runs with the requested niceness', async () => {
    const polite = await sh('until [ "$(nice)" = 7 ]; do sleep 0.02; done; echo so', guard({ nice: 7 }));
    expect(polite.stdout).toBe('so\n');
  });

  // Autogroups exist only on Linux with CONFIG_SCHED_AUTOGROUP.
  test.runIf(existsSync('/proc/self/autogroup'))('applies the niceness to its autogroup', async () => {
    const wait = "until grep -q 'nice 7' /proc/self/autogroup; do sleep 0.02; done; echo so";
    expect((await sh(wait, guard({ nice: 7 }))).stdout).toBe('so\n');
  });
});

test('the command is unchanged without a limiter', () => {
  expect(limitedCommand({ kind: 'none' }, options({ kind: 'none' }), 'p', ['a'])).toEqual(['p', 'a']);
});
