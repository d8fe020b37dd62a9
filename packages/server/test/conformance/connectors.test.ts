/** Conformance tests of connectors. vitest.config.ts distributes the platforms over projects. */
import { expect, inject, test } from 'vitest';
import { connectorOf } from '../harness/connectors.ts';
import { conformance } from '../suites/conformance.ts';

for (const folder of inject('platforms')) {
  const found = await connectorOf(folder);

  test(`the folder ${folder} is named after its connector and simulator`, () => {
    expect([found.connector.id, found.module.platform]).toEqual([folder, folder]);
  });

  await conformance(found);
}
