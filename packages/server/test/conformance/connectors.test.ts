/** One platform's connector; vitest.config.ts runs this file once for each platform that has a folder. */
import { expect, inject, test } from 'vitest';
import { connectorOf } from '../harness/connectors.ts';
import { conformance } from '../suites/conformance.ts';

const found = await connectorOf(inject('platform'));

test('the folder bears the name of its connector and of its simulator', () => {
  expect([found.connector.id, found.module.platform]).toEqual([inject('platform'), inject('platform')]);
});

await conformance(found);
