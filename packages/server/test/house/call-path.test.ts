import { expect, test } from 'vitest';
import { createFloors, followStacks } from '../../../../scripts/call-path/path.ts';

const IMPORTS: Record<string, string[]> = {
  'api.ts': ['create.ts', 'form.ts'],
  'create.ts': ['store.ts', 'plans.ts'],
  'plans.ts': ['store.ts'],
};
const floorOf = createFloors((file) => IMPORTS[file] ?? []);
const follow = (...stacks: string[]) =>
  followStacks(
    stacks.map((stack) => stack.split(' ').map((name) => `${name}.ts`)),
    floorOf,
  );

test('a path contains every file once, in order', () => {
  const { files, climbs, returns } = follow('api create create store', 'api create plans store');
  expect({ files, climbs, returns }).toEqual({
    files: ['api.ts', 'create.ts', 'store.ts', 'plans.ts'],
    climbs: 0,
    returns: 0,
  });
});

test('a call to a file that imports the caller climbs', () => {
  const { stops } = follow('api form create store');
  expect(stops.filter(({ climbs }) => climbs).map(({ file }) => file)).toEqual(['create.ts']);
});

test('a second call to a file that passes on returns', () => {
  const { stops, returns } = follow('api plans store', 'api create store', 'api plans store');
  expect(returns).toBe(1);
  expect(stops.filter(({ returns }) => returns).map(({ file }) => file)).toEqual(['plans.ts']);
});

test('further statements of a store are no returns', () => {
  const { returns, ends } = follow('api store', 'api create store', 'api store');
  expect(returns).toBe(0);
  expect(ends).toEqual(['store.ts']);
});
