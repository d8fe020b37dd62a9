import { expect, test } from 'vitest';
import { drawn, ONE_IN, seeded } from '../../harness/draw.ts';
import { conformance } from '../../suites/conformance.ts';
import { processCasesOf, processes } from '../../suites/processes.ts';
import { connector } from './index.ts';
import { simulator } from './simulator.ts';

const found = { connector, module: simulator };
const own = await processCasesOf(found, new URL('.', import.meta.url).href);

await conformance(found);
processes(seeded('with processes of their own'), [own], drawn(own.cases, ONE_IN.processes));

test('the suite runs all cases on the example', () => {
  // Two requests, killed at three moments and frozen at two.
  expect(own.cases).toHaveLength(10);
});
