/** Tests of the conformance table, with runs of every kind. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Outcome, tableOf } from '../../../../scripts/conformance-table.ts';
import type { CaseKind, ReportedCase } from '../suites/reported-cases.ts';

const top = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

const some = (
  platform: string,
  kind: CaseKind,
  count: number,
  more: Partial<Outcome> = {},
  end?: ReportedCase['end'],
) =>
  Array.from({ length: count }, (_, index): Outcome => {
    const meta = { platform, kind, ...(end ? { end } : {}) };
    return { meta, name: `${kind} ${index + 1}`, state: 'passed', ...more };
  });
const table = (outcomes: readonly Outcome[]) => tableOf(outcomes, (color, text) => `<${color}>${text.trim()}</>`);

describe('the conformance table', () => {
  const lines = table([
    ...some('Zeta', 'moments', 6),
    ...some('Alpha', 'moments', 4),
    ...some('Alpha', 'moments', 2, {}, 'unknown'),
    ...some('Alpha', 'faults', 1, {}, 'lie'),
    ...some('Alpha', 'faults', 1, { state: 'failed', error: 'posted twice: 2 published' }),
    ...some('Alpha', 'held', 1, { state: 'skipped' }),
  ]);
  const row = (name: string) => lines.find((line) => line.startsWith(`${name} `)) ?? '';

  test('colors numbers green or red, and marks missing cases', () => {
    expect(row('Alpha').match(/<\w+>[^<]*/g)).toEqual(['<green>6', '<red>1/2', ...Array(7).fill('<dim>–'), '<red>0/1']);
    expect(row('Zeta').match(/<\w+>[^<]*/g)).toEqual(['<green>6', ...Array(9).fill('<dim>–')]);
    expect(lines.findIndex((line) => line.startsWith('Alpha'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('Zeta')),
    );
  });

  test('explains everything that is not a plain number', () => {
    const reasons = lines.slice(lines.indexOf('Alpha'), lines.indexOf('Zeta'));
    expect(reasons).toEqual([
      'Alpha',
      '  crash: 2 of 6 ended as outcome_unknown without a second send: verification was not possible',
      expect.stringMatching(/^ {2}faults: 1 of 2 posted twice, after a response/),
      '<red>faults: faults 1: posted twice: 2 published</>',
      '  rejects: no rejection is listed by its status alone',
      '  parts: none was selected, or a video of 21 MB needs no more requests',
      '  same text: none was selected',
      '  variants: none was selected, or its simulator has no variants',
      '  clocks: none was selected',
      '  killed: none was selected',
      '  frozen: none was selected',
      '<red>late send: held 1: skipped</>',
    ]);
  });
});

async function run(program: string, ...given: string[]): Promise<{ status: number | null; out: string }> {
  const env = { ...process.env, NO_COLOR: '1' };
  const child = spawn(process.execPath, [program, ...given], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk;
    });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, out };
}

test('files that do not load fail the run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-conformance-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const told = (end?: string) => `{ meta: { conformance: { platform: 'Toy', kind: 'killed'${end ?? ''} } } }`;
  const files = {
    good: `test('a', ${told()}, () => {}); test('b', ${told()}, ({ task }) => { task.meta.conformance.end = 'unknown'; }); test('c', () => {});`,
    bad: `test('a', ${told()}, () => { throw new Error('posted twice: so it was\\nand more'); });`,
    unloadable: `throw new Error('an undisturbed publish failed');`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.test.js`), text);
  const config = { test: { globals: true, maxWorkers: 1, reporters: [top('scripts/conformance-reporter.ts')] } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  const vitest = (...names: string[]) =>
    run(top('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...names.map((name) => `${name}.test.js`));

  const good = await vitest('good');
  expect(good.status).toBe(0);
  expect(good.out).toMatch(/^Toy( +–){7} +2( +–){2}$/m);
  expect(good.out).toContain('  killed: 1 of 2 ended as outcome_unknown');
  expect(good.out.trimEnd()).toMatch(/\n3 passed, 0 failed$/);

  const sad = await vitest('good', 'bad', 'unloadable');
  expect(sad.status).toBe(1);
  expect(sad.out).toMatch(/^Toy( +–){7} +2\/3( +–){2}$/m);
  expect(sad.out).toContain('  killed: a: posted twice: so it was\n');
  expect(sad.out).toMatch(/^Not counted: .*unloadable\.test\.js: an undisturbed publish failed$/m);
  expect(sad.out.trimEnd()).toMatch(/\n3 passed, 2 failed$/);
});

test('an unknown name runs nothing and lists the platforms', async () => {
  const { status, out } = await run(top('scripts/conformance.mjs'), 'nowhere');
  expect([status, out]).toEqual([2, expect.stringMatching(/^There is no platform nowhere\. There are: .*tiktok/)]);
});
