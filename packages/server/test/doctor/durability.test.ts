import { expect, test } from 'vitest';
import { durabilityFindings } from '../../src/operator/doctor/durability.ts';

const safe = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

test.each([
  [{}, []],
  [{ synchronous_commit: 'remote_apply' }, []],
  [{ fsync: 'off' }, ['fsync']],
  [{ full_page_writes: 'off', synchronous_commit: 'local' }, ['full_page_writes', 'synchronous_commit']],
])('settings %o fail the checks %j', (changed, names) => {
  const failed = durabilityFindings({ ...safe, ...changed }).filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ message }) => message.text.split(' ')[0])).toEqual(names);
});
