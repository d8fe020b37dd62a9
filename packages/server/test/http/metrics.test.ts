import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
let text: string;
beforeAll(async () => {
  service = await startService();
  text = (await service.client.get('//metrics')).body;
});
afterAll(() => service.close());

const page = readFileSync(new URL('../../../../docs/operate/health.md', import.meta.url), 'utf8');
const documented = [...page.matchAll(/^\| `(reelay_\w+)` \| (counter|gauge|histogram) \|/gm)].map(
  ([, name = '', kind = '']) => ({ name, kind }),
);

test('exactly the served metrics are documented', () => {
  const served = [...text.matchAll(/^# TYPE (reelay_\w+) (\w+)$/gm)].map(([, name, kind]) => ({ name, kind }));
  const sorted = (list: readonly { name?: string }[]) =>
    list.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
  expect(sorted(documented)).toEqual(sorted(served));
  for (const [, name] of page.matchAll(/`(reelay_\w+)`/g)) expect(documented.map((each) => each.name)).toContain(name);
});

test.each(documented)('$name has a sample from the start', ({ name, kind }) => {
  const sample = kind === 'histogram' ? `${name}_count` : name;
  expect(text).toMatch(new RegExp(`^${sample}(?:\\{[^}]*\\})? \\d`, 'm'));
});

test('counters start at 0 for every platform', () => {
  for (const platform of Object.keys(connectors))
    for (const name of ['reelay_sends_total', 'reelay_sends_unknown_total', 'reelay_publish_seconds_count'])
      expect(text).toContain(`\n${name}{platform="${platform}"} 0\n`);
  expect(text).toContain('\nreelay_lanes_repaired 0\n');
});
