/** Which cases a landing runs. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differences } from '../../../../scripts/campaign/cases.ts';
import { advance, changedSince, readLanded } from '../../../../scripts/campaign/landed.ts';
import { after, planCampaign, SLICES } from '../../../../scripts/campaign/plan.ts';
import { withFolder } from '../harness/folder.ts';

const KNOWN = ['bluesky', 'tiktok', 'x'];
const plan = (...changed: string[]) => planCampaign(3, changed, KNOWN);

describe('a landing', () => {
  test('runs its slice', () => {
    expect(plan()).toEqual({ slices: [3], platforms: [] });
    expect(plan('README.md', 'packages/server/src/posts/create.ts')).toEqual({ slices: [3], platforms: [] });
  });

  test.each([
    'packages/server/src/connectors/tiktok/publish.ts',
    'packages/sandbox/src/platforms/tiktok/init.ts',
    'packages/server/test/wire/tiktok.ts',
    'packages/server/test/connectors/tiktok-driver.ts',
  ])('runs all cases of a platform if %s changed', (path) => {
    expect(plan(path)).toEqual({ slices: [3], platforms: ['tiktok'] });
  });

  test('runs each changed platform, and no other', () => {
    expect(plan('packages/server/src/connectors/x/publish.ts', 'packages/server/test/wire/bluesky.ts')).toEqual({
      slices: [3],
      platforms: ['bluesky', 'x'],
    });
    expect(plan('packages/server/test/wire/rules.ts', 'packages/server/src/connectors/x/README.md').platforms).toEqual(
      [],
    );
  });

  test.each([
    'packages/server/src/connectors/contract.ts',
    'packages/server/src/connectors/kit/captions.ts',
    'packages/server/src/publishing/decide.ts',
    'packages/server/src/outbound/http-client.ts',
    'packages/server/src/queue/queue.ts',
    'packages/sandbox/src/store/serial.ts',
  ])('runs two slices if %s changed', (path) => {
    expect(plan(path)).toEqual({ slices: [3, 4], platforms: [] });
  });

  test('runs all cases if the last landing is unknown', () => {
    expect(planCampaign(3, null, KNOWN)).toEqual({ slices: null, platforms: [] });
  });

  test('continues with the first slice after the last', () => {
    expect(after(SLICES)).toBe(1);
    expect(planCampaign(SLICES, ['packages/server/src/queue/queue.ts'], KNOWN).slices).toEqual([SLICES, 1]);
  });
});

/** A repository with the file of the last landing. */
const withRepository = (work: (root: string, git: (...args: string[]) => string) => Promise<void>) =>
  withFolder(async (root) => {
    const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        cwd: root,
        encoding: 'utf8',
        env,
      }).trim();
    git('init', '-q');
    await mkdir(join(root, '.ci'));
    await writeFile(join(root, '.ci/landed.json'), JSON.stringify({ commit: '0'.repeat(40), slice: 8 }));
    await writeFile(join(root, 'one.ts'), 'one');
    git('add', '.');
    git('commit', '-qm', 'Land');
    await work(root, git);
  });

describe('the record of landings', () => {
  test('names the last commit of the previous landing', () =>
    withRepository(async (root, git) => {
      const landed = git('rev-parse', 'HEAD');
      await writeFile(join(root, 'two.ts'), 'two');
      git('add', '.');
      git('commit', '-qm', 'Work');
      expect(advance(root)).toEqual({ commit: landed, slice: 1 });
      expect(readLanded(root)).toEqual({ commit: landed, slice: 1 });
      expect(changedSince(root, landed)).toEqual(['.ci/landed.json', 'two.ts']);
    }));

  test('is not advanced twice', () =>
    withRepository(async (root) => {
      advance(root);
      const text = await readFile(join(root, '.ci/landed.json'), 'utf8');
      expect(() => advance(root)).toThrow('.ci/landed.json has changes that are not committed.');
      expect(await readFile(join(root, '.ci/landed.json'), 'utf8')).toBe(text);
    }));

  test('lists both names of a renamed file', () =>
    withRepository(async (root, git) => {
      const landed = git('rev-parse', 'HEAD');
      git('mv', 'one.ts', 'three.ts');
      git('commit', '-qm', 'Rename');
      expect(changedSince(root, landed)).toEqual(['one.ts', 'three.ts']);
    }));

  test.each([
    ['an import', 'export const one = 1;\n', false],
    ['imports and a line', 'export const one = 2;\n', true],
  ])('counts a source that changed in %s: %j', (_, code, counts) =>
    withRepository(async (root, git) => {
      await writeFile(join(root, 'three.ts'), "import { a,\n  b } from './a.ts';\nexport const one = 1;\n");
      git('add', '.');
      git('commit', '-qm', 'Import');
      const before = git('rev-parse', 'HEAD');
      await writeFile(
        join(root, 'three.ts'),
        `import { a } from './lib/a.ts';\nimport { b } from './lib/b.ts';\n${code}`,
      );
      expect(changedSince(root, before)).toEqual(counts ? ['three.ts'] : []);
    }),
  );

  test('is unknown if its commit is missing or unrelated', () =>
    withRepository(async (root, git) => {
      expect(changedSince(root, '1'.repeat(40))).toBeNull();
      git('checkout', '-q', '--orphan', 'other');
      git('commit', '-qm', 'Elsewhere');
      expect(changedSince(root, git('rev-parse', 'other'))).toEqual([]);
      git('checkout', '-q', '--orphan', 'third');
      git('commit', '-qm', 'Third');
      expect(changedSince(root, git('rev-parse', 'other'))).toBeNull();
    }));
});

describe('the cases of two campaigns', () => {
  const compare = (full: string[], slices: string[]) => differences(full.join('\n'), slices.join('\n'));

  test('are compared without seeds, random ids and counts', () => {
    const full = ['a > 12 of 99 cases > PUT /videos/0193a1b2-1111-7222-8333-444455556666: once, seed 7', 'b'];
    const slices = ['a > 3 of 99 cases > PUT /videos/0193ffff-1111-7222-8333-444455556666: once, seed 9'];
    expect(compare(full, slices)).toEqual({ cases: 2, missing: ['b'], more: [] });
  });

  test('must contain each position that every list has', () => {
    const full = ['draw "x": 1 of 3', 'draw "x": 2 of 3', 'draw "x": 3 of 3'];
    expect(compare(full, ['draw "x": 2 of 2']).missing).toEqual(['draw "x": 1']);
    expect(compare(full, ['draw "x": 1 of 2', 'draw "x": 2 of 2']).missing).toEqual([]);
    expect(compare(full, []).missing).toHaveLength(3);
  });
});
