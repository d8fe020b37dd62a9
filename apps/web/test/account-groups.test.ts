import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_NAME, nameOf, usableOf } from '../src/pages/compose/groups/group-names.ts';
import { parseGroups } from '../src/queries/browser-groups.ts';

test('stored groups are read back unchanged', () => {
  const groups = [
    { name: 'Work', accounts: ['a', 'b'] },
    { name: 'Fun', accounts: ['c'] },
  ];
  expect(parseGroups(JSON.stringify(groups))).toEqual(groups);
});

test('groups are read from any stored value', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), fc.array(fc.record({ name: fc.anything(), accounts: fc.anything() }))),
      (stored) => {
        let text: string;
        try {
          text = typeof stored === 'string' ? stored : JSON.stringify(stored);
        } catch {
          return;
        }
        for (const { name, accounts } of parseGroups(text))
          expect([name, ...accounts].every((each) => typeof each === 'string')).toBe(true);
      },
    ),
  );
});

test('a group has a short name without spaces around it', () => {
  expect(nameOf('  Text lovers ')).toBe('Text lovers');
  expect(nameOf(`${'n'.repeat(MAX_NAME - 1)} more`)).toBe('n'.repeat(MAX_NAME - 1));
  expect(nameOf('   ')).toBe('');
});

test('unusable accounts are left out of a selection', () => {
  expect(usableOf({ accounts: ['b', 'a', 'd'] }, ['a', 'b', 'c'])).toEqual(['b', 'a']);
  expect(usableOf({ accounts: ['a'] }, [])).toEqual([]);
});
