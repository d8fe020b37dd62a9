/** Conformance tests of one connector. vitest.config.ts runs this file once per platform folder. */
import { expect, inject, test } from 'vitest';
import { connectorOf } from '../harness/connectors.ts';
import { conformance } from '../suites/conformance.ts';

const found = await connectorOf(inject('platform'));

test('the folder is named after its connector and simulator', () => {
  expect([found.connector.id, found.module.platform]).toEqual([inject('platform'), inject('platform')]);
});

await conformance(found);
