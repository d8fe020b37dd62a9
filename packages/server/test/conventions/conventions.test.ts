/**
 * Tests of the project's conventions, checked in the sources. Each rule is also tested with planted violations and a
 * similar, valid case.
 */
import { describe, expect, test } from 'vitest';
import { emptyTests, singleReads } from './assertions.ts';
import { blank } from './blank.ts';
import {
  environmentReads,
  foreignClocks,
  longFiles,
  looseQueryKeys,
  misnamedOperations,
  moduleState,
  silencedTypes,
  undocumented,
  ungatedReads,
  untrueTexts,
} from './code.ts';
import { dynamicCode, guessableValues, storedCredentials, unhashedPackages } from './dangerous.ts';
import { longFunctions } from './functions.ts';
import { brokenLayers, cycles, folderCircles, simulatorsAtStart } from './imports.ts';
import { unlikeManifests } from './manifests.ts';
import { staleMap } from './map.ts';
import { superLinear } from './patterns.ts';
import { missingSources, missingTests, staleComments } from './references.ts';
import { foreignSessions, hiddenDatabases, hiddenDraws, lastingTimers, skipped, sleeps } from './tests.ts';
import { readTree, type SourceFile, sourceFile } from './tree.ts';
import { foreignWords, leftForLater, namedPlatforms, registryHosts } from './words.ts';

const tree = await readTree();
const src = 'packages/server/src';
const guide = tree.find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? '';
const sandbox = 'packages/sandbox/src';
const manifest = tree.find(({ path }) => path === 'packages/cli/package.json')?.text ?? '';

interface Rule {
  says: string;
  find: (files: readonly SourceFile[]) => string[];
  /** Each entry alone is a violation when planted in the tree. */
  bad: Record<string, string>[];
  /** All entries together are valid. */
  good: Record<string, string>;
}

const RULES: Rule[] = [
  {
    says: 'imports follow the layers',
    find: brokenLayers,
    bad: [
      { [`${src}/operations/post/planted.ts`]: `import { createDatabase } from '../../db/database.ts';` },
      { [`${src}/http/planted.ts`]: `import { OPERATIONS } from '../app/operations.ts';` },
      { [`${src}/posts/planted.ts`]: `import type { Context } from '../context.ts';` },
      { [`${src}/watching/planted.ts`]: `import type { Page } from '../http/page.ts';` },
      { [`${src}/notifications/planted.ts`]: `import { listPosts } from '../operations/post/listPosts.ts';` },
      { [`${src}/publishing/planted.ts`]: `import { connector } from '../connectors/tiktok/index.ts';` },
      { [`${src}/publishing/planted.ts`]: `import { connectors } from '../connectors/registry.ts';` },
      { [`${src}/posts/planted.ts`]: `const late = await import('@reelay/sandbox/registry.ts');` },
      { [`${src}/accounts/planted.ts`]: `import type { Simulator } from '@reelay/sandbox/contract.ts';` },
      { [`${sandbox}/http/planted.ts`]: `import { ReelayError } from '@reelay/server/errors/reelay-error.ts';` },
      { [`${sandbox}/http/planted.ts`]: `import type { Log } from '../../../server/src/lib/log.ts';` },
      { [`${sandbox}/http/planted.ts`]: `import { simulator } from '../platforms/tiktok/index.ts';` },
      { [`${sandbox}/platforms/tiktok/planted.ts`]: `import { accounts } from '../bluesky/accounts.ts';` },
      { 'packages/sandbox/test/planted.ts': `import type { Media } from '../../server/src/connectors/contract.ts';` },
      { [`${src}/db/planted.ts`]: `import type { Post } from '../posts/types.ts';` },
      { [`${src}/connectors/kit/planted.ts`]: `import { ReelayError } from '../../errors.ts';` },
      { [`${src}/outbound/planted.ts`]: `import type { Connector } from '../connectors/contract.ts';` },
      { [`${src}/connectors/tiktok/planted.ts`]: `import {\n  publish,\n} from '../bluesky/publish.ts';` },
      { [`${src}/connectors/tiktok/planted.ts`]: `import { decide } from '../../publishing/decide.ts';` },
      {
        [`${src}/connectors/tiktok/planted.ts`]: `import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';`,
      },
      {
        [`${sandbox}/platforms/tiktok/planted.ts`]: `import { chunks } from '@reelay/server/connectors/tiktok/chunks.ts';`,
      },
      { [`${src}/planted.ts`]: `export { createWorld } from '../test/harness/world.ts';` },
      { 'packages/sdk/src/planted.ts': `import { ERRORS } from '../../server/src/errors.ts';` },
      { 'packages/cli/src/remote/planted.ts': `import { createServer } from '@reelay/server';` },
      { 'apps/web/src/pages/accounts/planted.tsx': `import { ERRORS } from '@reelay/server/errors/reelay-error.ts';` },
      { 'apps/web/src/ui/planted.tsx': `import { Draft } from '../pages/compose/draft.ts';` },
      { 'apps/web/src/pages/accounts/planted.tsx': `import { Draft } from '../compose/draft.ts';` },
      { 'apps/web/src/pages/accounts/planted.tsx': `import { rowsOf } from '@reelay/reference/schema.ts';` },
      { 'apps/reference/src/planted.tsx': `import { useClient } from '@reelay/web/queries/client.ts';` },
      { 'apps/web/src/queries/planted.ts': `import { Shell } from '../app/shell.tsx';` },
      { 'packages/cli/src/remote/planted.ts': `import { open } from '../local/open.ts';` },
      { 'packages/cli/src/output.ts': `import type { Config } from '@reelay/server/config/config.ts';` },
    ],
    good: {
      [`${src}/operations/post/planted.ts`]: `import type { Queryable } from '../../db/database.ts';`,
      [`${src}/connectors/tiktok/planted.ts`]: `import { chunks } from './chunks.ts';\nimport pg from 'pg';`,
      [`${sandbox}/platforms/tiktok/planted.ts`]: `import type { Simulator } from '../../contract.ts';\nimport './index.ts';`,
      [`${src}/sandbox/planted.ts`]: `import { createQuota } from '@reelay/sandbox/store/quota.ts';`,
      [`${src}/posts/planted.ts`]: `// import { connectors } from '../connectors/registry.ts';`,
      'packages/cli/src/remote/planted.ts': `import { createClient } from '@reelay/sdk';`,
      'apps/web/src/pages/accounts/planted.tsx': `import { createClient } from '@reelay/sdk';`,
    },
  },
  {
    says: 'no import cycles',
    find: cycles,
    bad: [
      {
        [`${src}/planted/one.ts`]: `import { two } from './two.ts';`,
        [`${src}/planted/two.ts`]: `import { three } from './three.ts';`,
        [`${src}/planted/three.ts`]: `import { one } from './one.ts';`,
      },
      {
        [`${src}/planted/one.ts`]: `import { two } from './two.ts';`,
        [`${src}/planted/two.ts`]: `import type { One } from './one.ts';`,
      },
      {
        'packages/cli/src/planted.ts': `const late = await import('./other.ts');`,
        'packages/cli/src/other.ts': `export type { Planted } from './planted.ts';`,
      },
    ],
    good: {
      [`${src}/planted/one.ts`]: `import { two } from './two.ts';\nimport { three } from './three.ts';`,
      [`${src}/planted/two.ts`]: `import type { Three } from './three.ts';`,
      [`${src}/planted/three.ts`]: `export const three = 3;`,
    },
  },
  {
    says: 'folders import each other in no circle',
    find: folderCircles,
    bad: [
      {
        [`${src}/plans/planted.ts`]: `import type { Queue } from '../keys/planted.ts';`,
        [`${src}/keys/planted.ts`]: `import type { Mail } from '../mail/planted.ts';`,
        [`${src}/mail/planted.ts`]: `import type { Plan } from '../plans/plans.ts';`,
      },
      { [`${src}/db/planted.ts`]: `import type { Post } from '../posts/types.ts';` },
      { [`${src}/accounts/tokens/planted.ts`]: `import { connect } from '../connect/connect-service.ts';` },
      {
        'chaos/planted/one.ts': `import { two } from '../other/two.ts';`,
        'chaos/other/three.ts': `import type { Four } from '../planted/four.ts';`,
      },
    ],
    good: {
      [`${src}/posts/planted.ts`]: `import { createDatabase } from '../db/database.ts';`,
      [`${src}/accounts/connect/planted.ts`]: `import type { Account } from '../types.ts';`,
      [`${src}/accounts/planted.ts`]: `import { connect } from './connect/connect-service.ts';`,
    },
  },
  {
    says: 'the map of folders matches the tree',
    find: staleMap,
    bad: [
      { [`${src}/planted/one.ts`]: `export const one = 1;` },
      { 'packages/planted/src/index.ts': `export const one = 1;` },
      { 'planted/main.ts': `export const one = 1;` },
      { 'CONTRIBUTING.md': guide.replace('\n  posts/ ', '\n  posts/ planted/ ') },
      { 'CONTRIBUTING.md': guide.replace(' receive/ ', ' planted/ ') },
      { 'CONTRIBUTING.md': guide.replace('\nchaos/ ', '\nplanted/ ') },
      { 'CONTRIBUTING.md': guide.replace('\n  main.ts ', '\n  planted.ts ') },
    ],
    good: {
      [`${src}/posts/planted/one.ts`]: `export const one = 1;`,
      'packages/server/planted.ts': `export const one = 1;`,
    },
  },
  {
    says: 'a service without sandbox loads no simulator',
    find: simulatorsAtStart,
    bad: [
      {
        [`${src}/main.ts`]: `import './planted.ts';`,
        [`${src}/planted.ts`]: `import { createRouter } from '@reelay/sandbox/http/router.ts';`,
      },
    ],
    good: { [`${src}/main.ts`]: `await import('@reelay/sandbox/registry.ts');` },
  },
  {
    says: 'only one file reads the environment',
    find: environmentReads,
    bad: [
      { [`${src}/planted.ts`]: `const port = process.env.PORT;` },
      { 'packages/cli/src/planted.ts': `const { PORT } = process.env;` },
    ],
    good: { [`${src}/planted.ts`]: `// process.env.PORT\nconst text = 'process.env';` },
  },
  {
    says: 'only one file reads the platform clock',
    find: foreignClocks,
    bad: [
      { [`${src}/connectors/tiktok/planted.ts`]: `const now = Date.parse(answer.headers.date ?? '');` },
      { [`${src}/connectors/tiktok/planted.ts`]: `const now = answer.headers['date'];` },
    ],
    good: { [`${src}/connectors/tiktok/planted.ts`]: `const day = answer.headers['x-date'];\n// headers.date` },
  },
  {
    says: 'regular expressions take linear time',
    find: superLinear,
    bad: [
      { [`${src}/planted.ts`]: `const bare = text.replace(/\\/+$/, '');` },
      { [`${src}/planted.ts`]: `if (/^\\d+\\.?\\d*$/.test(text)) work();` },
      { [`${src}/planted.ts`]: `const bare = html.replace(/<[^>]*>/g, '');` },
      { [`${src}/planted.ts`]: `const [found] = /\\d+:[\\w-]{10,}/.exec(text);` },
    ],
    good: {
      [`${src}/planted.ts`]: `const half = a / 2 / b;\nconst bare = html.replace(/<[^<>]*>/g, '');\nif (/^\\d+(?:\\.\\d*)?$/.test(text)) work();\n// /\\/+$/`,
    },
  },
  {
    says: 'modules keep no state',
    find: moduleState,
    bad: [
      { [`${src}/planted.ts`]: `let count = 0;` },
      { [`${src}/planted.ts`]: `export const cache = new Map<string, number>();` },
      { [`${src}/planted.ts`]: `const waiting: string[] = [];` },
    ],
    good: {
      [`${src}/planted.ts`]: `const KINDS = new Set(['a', 'b']);\nfunction work() {\n  let count = 0;\n  return count;\n}`,
    },
  },
  {
    says: 'types are not silenced',
    find: silencedTypes,
    bad: [
      { [`${src}/planted.ts`]: `export function read(value: any) {}` },
      { [`${src}/planted.ts`]: `const value = other as any;` },
      { [`${src}/planted.ts`]: `const value: Map<string, unknown> | any = 1;` },
      { [`${src}/planted.ts`]: ['// @ts-', 'expect-error'].join('') },
    ],
    good: { [`${src}/planted.ts`]: `/** Given: any shape. */\nconst text = 'as any';\nconst many = a < anyone;` },
  },
  {
    says: 'files are short',
    find: longFiles,
    bad: [{ [`${src}/planted.ts`]: `${'// line\n'.repeat(401)}` }],
    good: { [`${src}/planted.ts`]: `${'// line\n'.repeat(400)}` },
  },
  {
    says: 'functions are short',
    find: longFunctions,
    bad: [
      `function work() {\n${'  work();\n'.repeat(119)}}`,
      `const work = async () => {\n${'  await work();\n'.repeat(119)}};`,
      `const all = {\n  work(): void {\n${'    work();\n'.repeat(119)}  },\n};`,
      `test('a', () => {\n${'  work();\n'.repeat(119)}});`,
    ].map((code) => ({ 'chaos/planted.ts': code })),
    good: {
      [`${src}/planted.ts`]: `function work() {\n${'  work();\n'.repeat(118)}}`,
      'packages/server/test/planted.ts': `export function suite() {\n  describe('a', () => {\n${'    test();\n'.repeat(200)}  });\n}`,
    },
  },
  {
    says: 'exports are documented',
    find: undocumented,
    bad: [{ [`${src}/planted.ts`]: `export function work() {\n${'  work();\n'.repeat(10)}}` }],
    good: {
      [`${src}/planted.ts`]: `export const a = 1;\n/** Works. */\nexport async function work() {\n${'  work();\n'.repeat(10)}}\nexport function short() {\n}`,
    },
  },
  {
    says: 'an operation has a file of its name',
    find: misnamedOperations,
    bad: [
      { [`${src}/operations/post/planted.ts`]: `export const other = operation({\n  id: 'other',\n  path: '/post',` },
      { [`${src}/operations/post/planted.ts`]: `export const planted = operation({\n  id: 'other',\n  path: '/post',` },
      {
        [`${src}/operations/post/planted.ts`]: `export const planted = operation({\n  id: 'planted', path: '/post' });\nconst two = operation({ id: 'two' });`,
      },
      { [`${src}/operations/auth/planted.ts`]: `export const other = signInOperation({\n  id: 'other',` },
      { [`${src}/operations/user/planted.ts`]: `export const planted = signInOperation({\n  id: 'planted',` },
    ],
    good: {
      [`${src}/operations/post/planted.ts`]: `export const planted = operation({\n  id: 'planted',\n  path: '/posts/{id}',`,
      [`${src}/operations/auth/planted.ts`]: `export const planted = signInOperation({\n  id: 'planted',\n  path: '/plant',`,
    },
  },
  {
    says: 'the text of a target is its own caption first',
    find: untrueTexts,
    bad: [
      { [`${src}/reposts/planted.ts`]: 'const TEXT = `p.description as text`;' },
      { [`${src}/watching/planted.ts`]: `const TEXT = 'coalesce(t.caption, p.description)';` },
      { [`${src}/posts/planted.ts`]: `const TEXT = 'coalesce(t.caption, p.description)';` },
      {
        [`${src}/posts/planted.ts`]:
          'const SQL = `select 1, p.description\n  from target t\n  join post p on p.id = t.post_id`;',
      },
    ],
    good: {
      [`${src}/posts/planted.ts`]: 'const SQL = `select p.description from post p`;\nconst other = `from target t`;',
      [`${src}/reposts/planted.ts`]: 'const SQL = `select p.id from target t join post p on true`;\n// p.description',
    },
  },
  {
    says: 'generic code names no platform',
    find: namedPlatforms,
    bad: [
      { [`${src}/publishing/planted.ts`]: `if (platform === 'tiktok') wait();` },
      { [`${src}/posts/planted.ts`]: `const isYouTube = true;\nconst youTubeLimit = YOUTUBE_LIMIT;` },
      { [`${src}/posts/planted.ts`]: `switch (platform) {\n  case 'x':\n}` },
      { [`${src}/connectors/planted.ts`]: `const name = \`Bluesky\`;` },
    ],
    good: {
      [`${src}/posts/planted.ts`]: `// As on TikTok.\nconst schema = text.meta({ examples: ['tiktok'] });\nconst args = ['-threads', 'x'];`,
      [`${src}/connectors/tiktok/planted.ts`]: `const name = 'TikTok';`,
    },
  },
  {
    says: 'no markers of unfinished work',
    find: leftForLater,
    bad: [{ [`${src}/planted.ts`]: ['// TO', 'DO: more'].join('') }, { 'docs/planted.md': ['FIX', 'ME'].join('') }],
    good: { [`${src}/planted.ts`]: `const mastodon = 'todo list';` },
  },
  {
    says: 'no machine paths and no foreign words',
    find: foreignWords,
    bad: [
      { 'docs/planted.md': ['See /wo', 'rk/main.'].join('') },
      { [`${src}/planted.ts`]: ['// In sha', 'red/design it says'].join('') },
      { '.ci/run': ['cp x /ro', 'ot/y'].join('') },
    ],
    good: { 'docs/planted.md': 'What is shared at home, in the network/ or a framework/ of work.' },
  },
  {
    says: 'lock files name no registry',
    find: registryHosts,
    bad: [{ 'test-support/planted/package-lock.json': '{"resolved": "https://registry.example/x.tgz"}' }],
    good: { 'test-support/planted/package-lock.json': '{"resolved": "packages/cli", "link": true}' },
  },
  {
    says: 'packages in the lock file have hashes',
    find: unhashedPackages,
    bad: [
      { 'package-lock.json': '{"packages": {"node_modules/planted": {"version": "1.0.0"}}}' },
      { 'package-lock.json': '{"packages": {"node_modules/planted": {"version": "1.0.0", "integrity": "sha1-x"}}}' },
      { 'package-lock.json': '{"packages": {"node_modules/planted": {"version": "1.0.0", "optional": true}}}' },
    ],
    good: {
      'package-lock.json':
        '{"packages": {"": {}, "node_modules/a": {"integrity": "sha512-x"}, "node_modules/own": {"link": true}}}',
    },
  },
  {
    says: 'no text runs as code',
    find: dynamicCode,
    bad: [
      'eval(text);',
      "const run = new Function('a', text);",
      "setTimeout('run()', 5);",
      'const late = await import(name);',
      "import { runInThisContext } from 'node:vm';",
      'element.innerHTML = text;',
      'const made = <p dangerouslySetInnerHTML={{ __html: text }} />;',
    ].map((code) => ({ 'apps/web/src/ui/planted.tsx': code })),
    good: {
      'packages/server/src/posts/planted.ts':
        "const late = await import('./store.ts');\nsetTimeout(() => run(), 5);\nconst isFunction = (run: Function) => run.evaluate('eval(a)');",
    },
  },
  {
    says: 'sources contain no credentials',
    find: storedCredentials,
    bad: [
      { 'docs/planted.md': ['-----BEGIN RSA PRIVATE', ' KEY-----\nMIIE'].join('') },
      { 'packages/server/test/planted.ts': `const key = 'rly_${'a1'.repeat(23)}';` },
      { 'packages/cli/src/planted.ts': `const token = 'ghp_${'a1'.repeat(18)}';` },
    ],
    good: { 'docs/planted.md': 'Keys begin with `rly_`, private ones with -----BEGIN PRIVATE KEY-----' },
  },
  {
    says: 'random values cannot be guessed',
    find: guessableValues,
    bad: [{ 'packages/server/src/keys/planted.ts': 'const key = Math.random().toString(36);' }],
    good: { 'packages/server/src/keys/planted.ts': 'const key = randomBytes(32); // not Math.random' },
  },
  {
    says: 'packages have like names and fields',
    find: unlikeManifests,
    bad: [
      { 'packages/cli/package.json': manifest.replace('@reelay/cli', 'reelay-cli') },
      { 'packages/cli/package.json': manifest.replace('"description"', '"summary"') },
      {
        'packages/cli/package.json': manifest
          .replace('"type": "module",', '')
          .replace('"bin"', '"type": "module", "bin"'),
      },
    ],
    good: { 'packages/cli/package.json': manifest.replace('"bin"', '"sideEffects": false, "scripts"') },
  },
  {
    says: 'query keys are made in one place',
    find: looseQueryKeys,
    bad: [
      { 'apps/web/src/pages/accounts/planted.tsx': `useQuery({ queryKey: ['accounts'], queryFn });` },
      { 'apps/web/src/live/planted.ts': `queries.setQueryData(['posts', id], post);` },
    ],
    good: {
      'apps/web/src/queries/planted.ts': `useQuery({ queryKey: ['accounts'], queryFn });`,
      'apps/web/src/pages/accounts/planted.tsx': `useQuery({ queryKey: accountKeys.all, queryFn });`,
    },
  },
  {
    says: 'platforms are read through the limits only',
    find: ungatedReads,
    bad: [
      { [`${src}/watching/planted.ts`]: 'await connector.watch.list(session, at);' },
      { [`${src}/watching/planted.ts`]: 'const { list } = sessions.connector(platform).watch;' },
      { [`${src}/watching/planted.ts`]: 'const read = flow.list;' },
      { [`${src}/reposts/planted.ts`]: 'const resolve = connector.watch?.file;' },
      { [`${src}/watching/planted.ts`]: 'await boundedList(watch).list(session, at);' },
      { [`${src}/watching/planted.ts`]: 'const { session } = await sessions.open(id, options);' },
      { [`${src}/reposts/planted.ts`]: 'await connector.verify(work, null, sent);' },
      { [`${src}/publishing/step/planted.ts`]: 'const { confirm } = connector;' },
    ],
    good: {
      [`${src}/watching/planted.ts`]: 'const { list } = await openReader(deps, account, options);',
      [`${src}/reposts/planted.ts`]: 'const givesFiles = connector.watch.file !== undefined;',
      [`${src}/connectors/x/planted.ts`]: 'const page = await watch.list(session, at);',
    },
  },
  {
    says: 'tests that documents name exist',
    find: missingTests,
    bad: [
      { 'docs/reliability.md': 'A fault | `planted/nothing.test.ts` "a title" |' },
      { 'docs/reliability.md': 'A fault | `conventions/conventions.test.ts` "$says" |' },
      {
        'SECURITY.md': '| `conventions/conventions.test.ts` "no such title here", "everywhere" |'.replace(
          'here',
          'there',
        ),
      },
    ],
    good: { 'docs/reliability.md': 'A fault | `conventions/conventions.test.ts` "an offence … found" | "x" |' },
  },
  {
    says: 'sources that the security document names exist',
    find: missingSources,
    bad: [
      { 'SECURITY.md': '| a | `http/planted.ts` |' },
      { 'SECURITY.md': '| a | `planted/` |' },
      { 'SECURITY.md': '| a | `planted-store.ts` |' },
    ],
    good: {
      'SECURITY.md': '`http/app.ts`, every `store.ts`, `users/`, `docs/decisions`, `packages/sdk/src/index.ts`, `/v`',
    },
  },
  {
    says: 'files that comments name exist',
    find: staleComments,
    bad: [
      { [`${src}/planted.ts`]: '/** As in `nothing.ts`. */' },
      { 'apps/web/src/planted.tsx': 'const a = <p>{/* See posts/nothing.test.ts. */}</p>;' },
    ],
    good: {
      [`${src}/planted.ts`]: `// See db/database.ts, NAME.ts and PLATFORM-driver.ts.\nconst file = 'nothing.ts';`,
    },
  },
  {
    says: 'tests do not sleep',
    find: sleeps,
    bad: [
      { 'packages/server/test/planted.test.ts': `await new Promise((resolve) => setTimeout(resolve, 500));` },
      { 'packages/server/test/planted.test.ts': `import { setTimeout } from 'node:timers/promises';` },
      { 'packages/cli/test/planted.ts': `await sleep(100);` },
      { 'apps/web/test/components/planted.test.tsx': `await new Promise((done) => setTimeout(done, 50));` },
      { 'apps/web/test/e2e/planted.e2e.ts': `await page.waitForTimeout(500);` },
      { 'apps/web/test/e2e/planted.ts': `import { setTimeout as pause } from 'node:timers/promises';` },
    ],
    good: {
      'packages/server/test/planted.test.ts': `await client.query('select pg_sleep(60)');\nsetTimeout(() => controller.abort(), 5);`,
    },
  },
  {
    says: 'tests reach the database through the harness',
    find: hiddenDatabases,
    bad: [
      { 'packages/server/test/planted.test.ts': `const { template } = provided('server');` },
      { 'packages/server/test/planted.ts': `const url = process.env.TEST_DATABASE_URL;` },
    ],
    good: { 'packages/server/test/planted.test.ts': `const tools = provided('tools');` },
  },
  {
    says: 'tests ask for sessions of their own database',
    find: foreignSessions,
    bad: [
      { 'packages/server/test/planted.test.ts': `await db.query('select from pg_locks where not granted');` },
      { 'packages/server/test/planted.ts': 'const sql = `select\n  from pg_stat_activity where state = $1`;' },
    ],
    good: {
      'packages/server/test/planted.test.ts': `// See pg_locks.\nconst sql = 'select from pg_stat_activity where datname = current_database()';`,
    },
  },
  {
    says: 'tests draw cases through the harness',
    find: hiddenDraws,
    bad: [{ 'packages/server/test/planted.test.ts': `const runs = process.env.REELAY_TEST_FULL ? 100 : 1;` }],
    good: { 'packages/server/test/planted.test.ts': `// REELAY_TEST_FULL=1: all\nconst runs = FULL ? 100 : 1;` },
  },
  {
    says: 'tests restore faked timers',
    find: lastingTimers,
    bad: [
      { 'packages/server/test/planted.test.ts': 'vi.useFakeTimers();' },
      { 'apps/web/test/components/planted.test.tsx': 'vi.useFakeTimers({ now });' },
    ],
    good: { 'packages/server/test/planted.test.ts': 'vi.useFakeTimers();\nvi.useRealTimers();' },
  },
  {
    says: 'tests are neither skipped nor focused',
    find: skipped,
    bad: [
      { 'packages/server/test/planted.test.ts': ['test', ".only('a', () => {});"].join('') },
      { 'packages/server/test/planted.test.ts': ['describe', ".skip('a', () => {});"].join('') },
      { 'apps/web/test/components/planted.test.tsx': ['test', ".todo('a');"].join('') },
      { 'apps/web/test/e2e/planted.e2e.ts': ['test', ".fixme('a', async ({ page }) => {});"].join('') },
      { 'apps/web/test/e2e/planted.e2e.ts': ['test.describe', ".only('a', () => {});"].join('') },
    ],
    good: { 'packages/server/test/planted.test.ts': `test.runIf(root)('a', () => {});\nconst text = 'test.skip';` },
  },
  {
    says: 'a test can fail',
    find: emptyTests,
    bad: [
      { 'packages/server/test/planted.test.ts': `test('a', () => {\n  work();\n});` },
      { 'packages/server/test/planted.test.ts': `expect(1).toBe(1);` },
      {
        // Beside a test that can.
        'packages/server/test/planted.test.ts': `test('a', () => {\n  expect(1).toBe(1);\n});\ntest('b', () => work());`,
      },
      {
        'packages/server/test/planted.test.ts': `test.each<[string, () => void]>([['expect(1)', work]])('%s', (_, run) => run());`,
      },
      { 'packages/server/test/suites/planted.ts': `export function suite() {\n  test.runIf(isRoot())('a', work);\n}` },
      {
        'packages/server/test/planted.test.ts': `import { check } from './planted.ts';\ntest('a', () => check());`,
        'packages/server/test/planted.ts': `export function check() {\n  work();\n}\nfunction other() {\n  expect(1).toBe(1);\n}`,
      },
      {
        'apps/web/test/components/planted.test.tsx': `test('a', () => {\n  render(<Page title="x" />);\n});\ntest('b', () => expect(1).toBe(1));`,
      },
      {
        'apps/web/test/e2e/planted.e2e.ts': `test('a', { tag: '@layout' }, async ({ page }) => {\n  await page.goto('/');\n});`,
      },
      {
        'apps/web/test/e2e/planted.e2e.ts': `test.describe('a', () => {\n  test.beforeEach(() => {\n    expect(1).toBe(1);\n  });\n});`,
      },
    ],
    good: {
      'packages/server/test/planted.test.ts': `test.each([1])('a', () => {\n  expect(work()).toBe(1);\n});`,
      'packages/server/test/other.test.ts': `test('a', () => fc.assert(property));\nif (/a/.test(text)) work();`,
      'packages/server/test/third.test.ts': `import { check } from './check.ts';\ntest('a', () => check(1));\ntest('b', own);\nasync function own() {\n  await check(2);\n}`,
      'packages/server/test/check.ts': `export const check = async (one: number) => {\n  deep(one);\n};\nfunction deep(one: number): void {\n  expect(one).toBe(1);\n}`,
      'apps/web/test/components/planted.test.tsx': `test('a', () => {\n  render(<Page>\n    It's <b>here</b>\n  </Page>);\n  expect(work()).toBe(1);\n});`,
      'apps/web/test/e2e/planted.e2e.ts': `test.use({ signedIn: false });\nfor (const name of NAMES)\n  test(name, { tag: '@layout' }, async ({ page }) => {\n    await expect(page).toHaveTitle(name);\n  });`,
    },
  },
  {
    says: 'browser tests wait for what they assert',
    find: singleReads,
    bad: [
      'expect(await field.inputValue()).toBe(1);',
      'expect(await rows.count()).toBe(1);',
      'expect((await page.locator("code").allTextContents()).length, name).toBe(10);',
      'expect(\n  await panel()\n    .getByRole("link")\n    .getAttribute("href"),\n).toMatch(/^https:/);',
      'expect(await page.evaluate(() => document.activeElement?.id)).toBe(1);',
      'expect.soft(await page.title()).toBe(1);',
      'expect(page.url()).toBe(1);',
      'expect(new URL(page.url()).pathname).toBe(1);',
    ].map((code) => ({ 'apps/web/test/e2e/planted.ts': code })),
    good: {
      'apps/web/test/e2e/planted.ts': [
        'await expect(field).toHaveValue(1);',
        'await expect.poll(async () => (await rows.count()) > 1).toBe(true);',
        'await expect.poll(() => page.url()).toBe(1);',
        'await expect(async () => {\n  expect(await rows.count()).toBe(1);\n}).toPass();',
        'expect((await user.get("/user")).body.title).toBe(1);',
        'expect(await db.query("select title() from post")).toEqual([]);',
        'const rows = await list.count();',
      ].join('\n'),
      'packages/server/test/planted.ts': 'expect(await store.count()).toBe(1);',
    },
  },
];

const titleOf = (files: Record<string, string>) => JSON.stringify(files).slice(0, 200);

/** The tree with files added or replaced. */
function plant(files: Record<string, string>): SourceFile[] {
  const kept = tree.filter(({ path }) => !(path in files));
  return [...kept, ...Object.entries(files).map(([path, text]) => sourceFile(path, text))];
}

describe.each(RULES)('$says', ({ find, bad, good }) => {
  const before = find(tree);

  test('everywhere', () => {
    expect(before).toEqual([]);
  });

  test.each(bad.map((files) => [titleOf(files), files] as const))('finds a violation: %s', (_title, files) => {
    const planted = find(plant(files)).filter((offence) => !before.includes(offence));
    expect(planted.length).toBeGreaterThan(0);
    for (const offence of planted)
      expect(Object.keys(files).some((path) => offence.includes(path) || path.endsWith('main.ts'))).toBe(true);
  });

  test('accepts a similar, valid case', () => {
    expect(find(plant(good)).filter((offence) => !before.includes(offence))).toEqual([]);
  });
});

test('the rules cover the whole repository', () => {
  for (const path of ['.ci/run', 'README.md', 'scripts/setup.mjs', `${src}/main.ts`, 'packages/cli/bin/reelay'])
    expect(tree.map((file) => file.path)).toContain(path);
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the sources under test contain templates
describe('blanking of sources', () => {
  test.each([
    [`a // b`, `a     `, `a     `],
    [`a /* b\nc */ d`, `a     \n     d`, `a     \n     d`],
    [`'// a' + "/*" // b`, `'// a' + "/*"     `, `'    ' + "  "     `],
    ['`a ${b + `c ${d}`} e` // f', '`a ${b + `c ${d}`} e`     ', '`   {b + `   {d}`}  `     '],
    ["`${{ a: '}' }.a} // b` + c", "`${{ a: '}' }.a} // b` + c", "` {{ a: ' ' }.a}     ` + c"],
    [`x = /['"/]*[/]/.test(y) / 2 // z`, `x = /['"/]*[/]/.test(y) / 2     `, `x = /         /.test(y) / 2     `],
    [`'\\'' // a`, `'\\''     `, `'  '     `],
    [`<a b={c} />; // '`, `<a b={c} />;     `, `<a b={c} />;     `],
    [`<a>{b}</a> // c`, `<a>{b}</a>     `, `<a>{b}</a>     `],
    [`<a>\nIt's\n</a> // b`, `<a>\nIt's\n</a>     `, `<a>\nIt' \n</a>     `],
  ])('%j without comments and strings', (text, code, bare) => {
    expect(blank(text)).toEqual({ code, bare });
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above
