import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AccountGroup,
  MAX_GROUPS,
  MAX_NAME,
  parseGroups,
  renameGroup,
  saveGroup,
  usableOf,
} from '../src/drafts/account-groups.ts';

const groups: AccountGroup[] = [
  { name: 'Work', accounts: ['a', 'b'] },
  { name: 'Fun', accounts: ['c'] },
];

test('stored groups are read back unchanged', () => {
  expect(parseGroups(JSON.stringify(groups))).toEqual(groups);
});

test('groups with unique names are read from any stored value', () => {
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
        const read = parseGroups(text);
        expect(new Set(read.map(({ name }) => name)).size).toBe(read.length);
        for (const { name, accounts } of read) {
          expect(name.length).toBeGreaterThan(0);
          expect(name.length).toBeLessThanOrEqual(MAX_NAME);
          expect(accounts.every((id) => typeof id === 'string')).toBe(true);
        }
      },
    ),
  );
});

test('adding a group replaces the one of its name', () => {
  expect(saveGroup(groups, ' New ', ['d']).at(-1)).toEqual({ name: 'New', accounts: ['d'] });
  expect(saveGroup(groups, 'Work', ['d'])).toEqual([{ name: 'Work', accounts: ['d'] }, groups[1]]);
  const many = Array.from({ length: MAX_GROUPS + 5 }, (_, at) => String(at)).reduce<AccountGroup[]>(
    (all, name) => saveGroup(all, name, []),
    [],
  );
  expect(many).toHaveLength(MAX_GROUPS);
});

test('a renamed group keeps its place and its accounts', () => {
  expect(renameGroup(groups, 'Work', 'Office')).toEqual([{ name: 'Office', accounts: ['a', 'b'] }, groups[1]]);
  expect(renameGroup(groups, 'Work', 'Fun')).toEqual([{ name: 'Fun', accounts: ['a', 'b'] }]);
  expect(renameGroup(groups, 'Work', ' ')).toEqual(groups);
  expect(renameGroup(groups, 'Work', 'Work')).toEqual(groups);
});

test('unusable accounts are left out of a selection', () => {
  expect(usableOf({ name: 'Work', accounts: ['b', 'a', 'b'] }, ['a', 'b', 'c'])).toEqual(['b', 'a']);
  expect(usableOf({ name: 'Work', accounts: ['a'] }, [])).toEqual([]);
});
