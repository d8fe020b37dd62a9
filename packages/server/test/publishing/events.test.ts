import { expect, test } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { createPublisherEvents } from '../../src/publishing/events.ts';

test('counters at zero have a sample', async () => {
  const metrics = createMetrics();
  const events = createPublisherEvents(createLog({ level: 'silent', pretty: false }), metrics, [], () => {});
  expect(await metrics.text()).toMatch(/^reelay_lanes_repaired 0$/m);
  events.lanesFreed(2);
  expect(await metrics.text()).toMatch(/^reelay_lanes_freed 2$/m);
});
