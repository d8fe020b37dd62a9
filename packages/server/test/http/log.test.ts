import { expect, test, vi } from 'vitest';
import { createLog, describeError } from '../../src/lib/log.ts';
import { createIdleCollector } from '../../src/lib/memory/idle-collector.ts';
import { createMetrics } from '../../src/lib/metrics.ts';

function logging() {
  const lines: string[] = [];
  const log = createLog({ level: 'info', pretty: false }, { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

test('logs redact secrets at every depth', () => {
  const { log, lines } = logging();
  log.info({ password: 'hush', headers: { authorization: 'hush', cookie: 'hush' }, a: { b: { token: 'hush' } } }, 'x');
  expect(lines.join('')).not.toContain('hush');
  expect(lines.join('')).toContain('[secret]');
});

test('logged errors have name, message, code and stack only', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(a@b) exists',
    where: 'w',
  });
  const { log, lines } = logging();
  log.error({ err: new Error('outer', { cause }) }, 'failed');
  const written = JSON.parse(lines[0] ?? '').err;
  expect(Object.keys(written)).toEqual(['type', 'message', 'stack', 'cause']);
  expect(Object.keys(written.cause)).toEqual(['type', 'message', 'code', 'stack']);
  expect(lines[0]).not.toContain('a@b');
});

test('external text cannot forge log lines on a terminal', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', pretty: true }, { write: (line: string) => void lines.push(line) });
  const forged = 'x\u001b[2K\r\n12:00:00 INFO  all is well\u0085\u2028\u202e';
  log.info({ path: forged, nested: { path: forged } }, forged);
  const error = new Error(forged);
  log.error({ err: error }, 'failed');
  const written = lines.join('').split('\n').filter(Boolean);
  expect(written.filter((line) => !line.startsWith('    '))).toHaveLength(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  expect(written[0]).toContain('\\u001b[2K');
});

test('log lines on a terminal have a maximum length', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', pretty: true }, { write: (line: string) => void lines.push(line) });
  log.info({ path: '\u001b'.repeat(1024 * 1024) }, 'request');
  expect(lines.join('').length).toBeLessThan(60_000);
});

test('describing an error that is its own cause terminates', () => {
  const circular = new Error('round');
  circular.cause = circular;
  expect(JSON.stringify(describeError(circular)).split('round').length).toBeLessThan(20);
});

test('metrics have the Prometheus format', async () => {
  const metrics = createMetrics('t_');
  const counter = metrics.counter('posts', 'Posts.', [{ platform: 'x' }]);
  metrics.counter('plain', 'Plain.');
  metrics.histogram('calm', 'Calm.', [1]);
  counter.add();
  counter.add(2, { platform: 'a"b\\c\nd' });
  metrics.gauge('level', 'Level.', async () => 7);
  metrics.gauge('broken', 'Broken.', () => Promise.reject(new Error('no')));
  const histogram = metrics.histogram('wait', 'Wait.', [1, 5]);
  for (const value of [0.5, 1, 3, 9]) histogram.observe(value, { kind: 'x' });
  const text = await metrics.text();
  for (const line of [
    '# TYPE t_posts counter',
    't_posts 1',
    't_posts{platform="x"} 0',
    't_plain 0',
    't_calm_bucket{le="1"} 0',
    't_calm_count 0',
    't_posts{platform="a\\"b\\\\c\\nd"} 2',
    't_level 7',
    't_wait_bucket{kind="x",le="1"} 2',
    't_wait_bucket{kind="x",le="5"} 3',
    't_wait_bucket{kind="x",le="+Inf"} 4',
    't_wait_sum{kind="x"} 13.5',
    't_wait_count{kind="x"} 4',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).not.toMatch(/^t_broken /m);
  expect(() => metrics.counter('posts', 'Again.')).toThrow(/t_posts/);
});

test('garbage is collected once after five idle seconds', () => {
  vi.useFakeTimers();
  try {
    let collected = 0;
    const idle = createIdleCollector(() => collected++);
    for (let count = 0; count < 4; count++) {
      idle.busy();
      vi.advanceTimersByTime(4_000);
    }
    expect(collected).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(1);
    idle.busy();
    idle.stop();
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
