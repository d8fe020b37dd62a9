import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Environment, readEnvironment } from '../../server/src/config/env.ts';
import { insertUser } from '../../server/src/users/user-store.ts';
import { createBrowser } from '../../server/test/account/browser.ts';
import { addAccount } from '../../server/test/harness/rows.ts';
import { startMailServer } from '../../server/test/harness/smtp.ts';
import { set, show } from '../src/local/accounts.ts';
import { remove as forget } from '../src/local/apps.ts';
import { disconnect } from '../src/local/connect.ts';
import { create, suspend } from '../src/local/users.ts';
import {
  type Ran,
  reelay,
  reelayHere,
  reelayNoting,
  reelayUntil,
  refusal,
  type SharedService,
  startShared,
} from './run.ts';

let service: SharedService;
/** As the process of a command would read it. */
let environment: Environment;
beforeAll(async () => {
  service = await startShared();
  await mkdir(service.env.DATA_DIR ?? '', { recursive: true });
  environment = await readEnvironment(service.env);
});
afterAll(() => service.close());

const run = (args: readonly string[], input?: string): Promise<Ran> => reelayHere(args, { env: service.env, input });

/** Returns the output of a command that must succeed. */
async function said(args: readonly string[], input?: string): Promise<string> {
  const { status, stdout, stderr } = await run(args, input);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** Returns the one-line error of a command that must fail. */
async function refused(args: readonly string[], input?: string): Promise<string> {
  const { status, stdout, stderr } = await run(args, input);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr.trimEnd();
}

const signIn = async (email: string, password: string) =>
  (
    await service.client.call('POST', '//api/auth/sign-in/email', {
      json: { email, password },
      headers: { origin: service.url },
    })
  ).status;

/** A user without a password and an API key, inserted directly. */
async function userNamed(name: string, plan: 'PRO' | 'FREE' = 'PRO'): Promise<{ id: string; email: string }> {
  const email = `${name}@example.org`;
  const made = await insertUser(service.db, { email, name: email, plan });
  return { id: made?.id ?? '', email };
}

/** Modules of platforms, which most commands should not load. */
const ofPlatforms = (path: string) => /^packages\/server\/src\/(?:connectors\/\w+\/|sandbox\/)/.test(path);

const platformsOf = (key: string) => service.clientWith({ authorization: `Bearer ${key}` }).get('/platform/platforms');

test('creating a user shows the password once', async () => {
  const { status, stdout, stderr } = await reelay(['users', 'create', '--email', 'First@Example.org'], service);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Created user first@example\.org on plan PRO as the operator\.\nPassword \(shown only once\): \S{20}\n$/,
  );
  const password = stdout.trimEnd().split(' ').at(-1) ?? '';
  expect(await signIn('first@example.org', password)).toBe(200);
  expect(await said(['users', 'list'])).not.toContain(password);
  expect(await refused(['users', 'create', '--email', 'first@example.org'])).toBe(
    'User first@example.org already exists.',
  );
});

test('a password from stdin is read and checked', async () => {
  const second = ['users', 'create', '--email', 'second@example.org'];
  const email = 'second@example.org';
  const unfit = create(environment, { email, password: 'short' });
  expect(await refusal(unfit)).toBe('The password must have 12 to 128 characters.');
  const twice = create(environment, { email, password: 'x', passwordStdin: true });
  expect(await refusal(twice)).toContain('not both');
  expect(await refused([...second, '--password-stdin'])).toContain('contains no password');
  const piped = { env: service.env, input: 'correct horse battery\n' };
  const made = { status: 0, stdout: 'Created user second@example.org on plan PRO.\n', stderr: '' };
  expect(await reelay([...second, '--password-stdin'], piped)).toEqual(made);
  expect(await signIn('second@example.org', 'correct horse battery')).toBe(200);
  await said(['users', 'set-password', '--user', 'second@example.org', '--password-stdin'], 'staple battery horse');
  expect(await signIn('second@example.org', 'correct horse battery')).toBe(401);
  expect(await signIn('second@example.org', 'staple battery horse')).toBe(200);
});

test('user commands take effect in a running service', async () => {
  const { email: user, get } = await service.newUser();
  const platforms = () => get('/platform/platforms');
  await said(['users', 'set-plan', '--user', user, '--plan', 'FREE']);
  await said(['users', 'set', '--user', user, '--late', 'skip']);
  expect(await said(['users', 'set', '--user', user, '--second-factor', 'off'])).toBe(
    `${user} has no second factor.\n`,
  );
  expect(await refused(['users', 'set', '--user', user])).toBe('Set --late or --second-factor.');
  const { status, stdout, loaded } = await reelayNoting(['users', 'list', '--json'], { env: service.env });
  expect([status, loaded.filter(ofPlatforms)]).toEqual([0, []]);
  const changed = { email: user, plan: 'FREE', late: 'skip', suspended: false };
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining(changed));
  await said(['users', 'suspend', '--user', user]);
  expect((await platforms()).body.code).toBe('account_suspended');
  await said(['users', 'resume', '--user', user]);
  expect((await platforms()).status).toBe(200);
  await said(['users', 'delete', '--user', user]);
  expect((await platforms()).status).toBe(401);
  expect(await refusal(suspend(environment, user))).toBe(`User ${user} not found.`);
});

test('creating a key prints it and reports a replacement', async () => {
  const { email: user } = await userNamed('keyed');
  const first = await said(['keys', 'create', '--user', user]);
  expect(first).toMatch(/^rly_[0-9A-Za-z]{46}\n$/);
  expect((await platformsOf(first.trimEnd())).status).toBe(200);
  const second = await run(['keys', 'create', '--user', user]);
  expect(second.stdout).toMatch(/^rly_[0-9A-Za-z]{46}\n$/);
  expect(second.stderr).toBe(`Revoked the previous key ${first.slice(0, 12)}….\n`);
  expect((await platformsOf(first.trimEnd())).status).toBe(401);
  expect((await platformsOf(second.stdout.trimEnd())).status).toBe(200);
});

test('commands queue mails about new ways to sign in', async () => {
  const { email: user, id } = await userNamed('mailed');
  await said(['keys', 'create', '--user', user]);
  await said(['users', 'set-password', '--user', user]);
  const mails = await service.db.query('select name from security_mail where user_id = $1 order by at', [id]);
  expect(mails).toEqual([{ name: 'api_key_created' }, { name: 'password_set' }]);
});

describe('in the sandbox', () => {
  const email = 'sandboxed@example.org';
  const connect = (platform: string) => [
    'sandbox',
    'connect',
    '--user',
    email,
    '--platform',
    platform,
    '--username',
    'nora',
  ];
  let ids: Record<string, string>;
  beforeAll(async () => {
    await userNamed('sandboxed');
    const each = (platform: string) => said(connect(platform));
    const [tiktok = '', mastodon = '', bluesky = ''] = await Promise.all(['tiktok', 'mastodon', 'bluesky'].map(each));
    ids = { tiktok, mastodon, bluesky };
  });

  test('connects every platform and prints only the id', async () => {
    const accounts = JSON.parse(await said(['accounts', 'list', '--user', email, '--json']));
    for (const [platform, id] of Object.entries(ids)) {
      expect(id).toMatch(/^[0-9a-f-]{36}\n$/);
      const connected = { id: id.trimEnd(), platform, status: 'CONNECTED', sandbox: true, user: email };
      expect(accounts).toContainEqual(expect.objectContaining(connected));
    }
  });

  test('prints the credentials of applications and accounts', async () => {
    const of = (...args: string[]) => said(['sandbox', 'credentials', '--platform', ...args]);
    expect(await of('x')).toMatch(/^client id +sandbox-client\nclient secret +sandbox-secret$/m);
    const { url, account } = JSON.parse(await of('telegram', '--username', 'nora', '--json'));
    expect(url).toBe(`${service.url}/sandbox/telegram`);
    const me = await fetch(`${url}/bot${account.credentials.secret}/getMe`);
    expect(await me.json()).toMatchObject({ ok: true, result: { is_bot: true } });
  });

  test('lists accounts without loading a platform', async () => {
    const { stdout, loaded } = await reelayNoting(['accounts', 'list'], { env: service.env });
    for (const [platform, id] of Object.entries(ids))
      expect(stdout).toMatch(new RegExp(`^${id.trimEnd()}  ${platform} .*  CONNECTED  sandbox  ${email}$`, 'm'));
    expect(loaded).toContain('packages/server/src/accounts/account-store.ts');
    expect(loaded.filter(ofPlatforms)).toEqual([]);
  });

  test('reconnecting keeps the id and loads only that platform', async () => {
    const { status, stdout, stderr, loaded } = await reelayNoting(connect('mastodon'), { env: service.env });
    expect([status, stdout]).toEqual([0, ids.mastodon]);
    expect(stderr).toMatch(/^mastodon @nora@\S+ was connected before\. It keeps its id\.\n$/);
    const folders = loaded.map((path) => /^packages\/server\/src\/connectors\/(\w+)\//.exec(path)?.[1]);
    expect(new Set(folders)).toEqual(new Set([undefined, 'kit', 'mastodon']));
  });

  test('rejects disconnecting twice', async () => {
    const id = ids.tiktok?.trimEnd() ?? '';
    expect(await said(['accounts', 'disconnect', id])).toBe('Disconnected tiktok nora.\n');
    expect(await refusal(disconnect(environment, id))).toMatch(/^Connected account ".*" not found\.$/);
  });
});

test('accounts shows choices and changes them by label', async () => {
  const { id: userId, email: user } = await userNamed('choosing');
  const request = { userId, platform: 'pinterest', username: 'nora', privacy: 'public', actor: 'test' };
  const [{ id } = { id: '' }] = await service.context.accounts.connectSandbox(request);
  const shown = JSON.parse(await said(['accounts', 'show', id, '--json']));
  expect(shown).toMatchObject({ id, platform: 'pinterest', choices: [{ name: 'board', value: 'PUBLIC' }] });
  const drafts = shown.choices[0].values.find(({ label }: { label: string }) => label === 'Drafts').value;
  expect(await said(['accounts', 'set', id, '--choice', 'board=drafts'])).toBe(`Set board to ${drafts}.\n`);
  expect(await said(['accounts', 'show', id])).toMatch(
    new RegExp(`board: ${drafts} .*\\n.*\\n.*PUBLIC +The oldest`, 's'),
  );
  const listed = JSON.parse(await said(['accounts', 'list', '--user', user, '--json']));
  expect(listed).toMatchObject([{ id, choices: [{ value: drafts }] }]);
  const choosing = (choice: string) => refusal(set(environment, id, { choice: [choice] }));
  expect(await choosing('board=Nowhere')).toContain(`${drafts} (Drafts)`);
  expect(await choosing('board')).toContain('Use the form name=value');
  expect(await refusal(show(environment, 'nothing', {}))).toMatch(/^Connected account ".*" not found\.$/);
});

test('connecting prints the consent URL, whose page connects', async () => {
  const { email: user, get } = await service.newUser();
  const connect = ['accounts', 'connect', '--user', user, '--platform', 'tiktok', '--sandbox', '--privacy', 'public'];
  const { stdout, stderr } = await run(connect);
  expect(stdout).toMatch(/^http:\/\/localhost:\d+\/oauth\/tiktok\/start\?ticket=\S+\n$/);
  expect(stderr).toContain('in a browser');
  const question = await createBrowser().open(stdout.trimEnd());
  expect(question.html).toContain(`${user.slice(0, 2)}…@example.org`);
  const page = await question.submit({});
  expect((await page.submit({ username: 'nora', decision: 'allow' })).html).toContain('is connected');
  expect((await get('/platform/platforms')).body.data).toMatchObject([{ platform: 'tiktok', username: 'nora' }]);
});

test('an app password from standard input connects the account', async () => {
  const { email: user } = await userNamed('logging-in');
  const made = await service.context.sandbox?.access.enrol('bluesky', 'login');
  const { identifier = '', secret = '' } = made?.credentials ?? {};
  const connect = [
    'accounts',
    'connect',
    '--user',
    user,
    '--platform',
    'bluesky',
    '--sandbox',
    '--identifier',
    identifier,
  ];
  const wrong = await run([...connect, '--secret-stdin'], 'abcd-abcd-abcd-abcd\n');
  expect([wrong.status, wrong.stdout]).toEqual([1, '']);
  expect(wrong.stderr).not.toContain('abcd-abcd');
  const reference = /\(Reference (\S+)\)\n$/.exec(wrong.stderr)?.[1] ?? '';
  expect(await said(['accounts', 'attempt', reference])).toMatch(/ begun .*\n.* login +failed +/);
  const { status, stdout, stderr } = await run([...connect, '--secret-stdin'], `${secret}\n`);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
  expect(stderr).toContain('Connected bluesky');
  expect(stdout + stderr).not.toContain(secret);
});

test('posting enforces the plan limit and reports it', async () => {
  const { id, email: user } = await userNamed('limited', 'FREE');
  for (let number = 0; number < 3; number++) await addAccount(service.db, id);
  const connect = ['sandbox', 'connect', '--user', user, '--platform', 'tiktok', '--username', 'four'];
  expect(await refused(connect)).toContain('(connected_accounts: 3 of 3)');
});

test('invalid arguments are reported in one line', async () => {
  expect(await refused(['accounts', 'connect', '--user', 'first@example.org', '--platform', 'myspace'])).toContain(
    'tiktok',
  );
  expect(await refused(['users', 'frobnicate'])).toContain('unknown command');
  expect(await refused(['users', 'set-plan', '--user', 'a@b.c', '--plan', 'GOLD'])).toContain('GOLD');
  const env = { ...service.env, RATE_LIMIT: 'sometimes' };
  const { status, stderr } = await reelayHere(['users', 'list'], { env });
  expect([status, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringContaining('RATE_LIMIT')]]);
});

test('stores, lists without the secret and removes an application', async () => {
  const set = ['apps', 'set', 'tiktok', '--client-id', 'of-mine'];
  expect(await said(set, 'quite secret\n')).toBe('Stored the application tiktok.\n');
  const listed = await said(['apps', 'list']);
  expect(listed).toMatch(/^TikTok +tiktok: stored +http:\S+\/oauth\/tiktok\/callback/m);
  expect(listed).not.toMatch(/of-mine|quite secret/);
  expect(await said(['apps', 'remove', 'tiktok'])).toBe('Removed the application tiktok.\n');
  expect(await refusal(forget(environment, 'tiktok'))).toContain('Application "tiktok" is not stored');
});

test('an unreachable database is reported in one line', async () => {
  const env = { ...service.env, DATABASE_URL: 'postgres://reelay:hunter2@127.0.0.1:9/reelay' };
  const { status, stdout, stderr } = await reelay(['users', 'list'], { env });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The database is not available\. \(.*ECONNREFUSED.*\)\n$/);
  expect(stderr).not.toContain('hunter2');
});

test('a current schema needs no migration', async () => {
  expect(await said(['migrate'])).toBe('The schema is up to date.\n');
});

test('doctor passes on a running service and probes platform URLs', async () => {
  await using mail = await startMailServer();
  const { host, origin } = new URL(service.context.config.publicUrl);
  const env = {
    ...service.env,
    ALLOWED_PRIVATE_HOSTS: host,
    BLUESKY_PLC_URL: `${origin}/plc/`,
    TELEGRAM_STORAGE_CHAT: '-1001234567890',
    SMTP_URL: mail.url,
    MAIL_FROM: 'reelay@example.org',
  };
  const { stdout } = await reelayHere(['doctor'], { env });
  const failed = stdout.split('\n').filter((found) => found.startsWith('FAIL'));
  // The test server gives up durability for speed, and the doctor reports it.
  expect(failed.filter((found) => !/ database: (fsync|full_page_writes) is off /.test(found))).toEqual([]);
  for (const name of [
    'clock',
    'database',
    'secret key',
    'storage',
    'ffmpeg',
    'worker',
    'public address',
    'sandbox',
    'mail',
  ])
    expect(stdout).toMatch(new RegExp(`^ok    ${name}: `, 'm'));
  expect(stdout).toContain(`${origin}/oauth/tiktok/callback`);
  expect(stdout).toMatch(/^ok {4}platform: .*BLUESKY_PLC_URL responds$/m);
  expect(stdout).toMatch(/^ok {4}platform: .*TELEGRAM_STORAGE_CHAT is set$/m);
});

test('doctor lists every problem and exits 1', async () => {
  const env = {
    ...service.env,
    PUBLIC_URL: 'http://localhost:9',
    FFMPEG_PATH: '/nonexistent/ffmpeg',
    STORAGE_URL: 'file:///dev/null/files',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    TIKTOK_CLIENT_KEY: 'half',
    TELEGRAM_API_URL: 'http://127.0.0.1:9/api',
    SMTP_URL: 'smtp://u:hidden@127.0.0.1:9',
    MAIL_FROM: 'reelay@example.org',
  };
  const { status, stdout } = await reelayHere(['doctor', '--json'], { env });
  expect(status).toBe(1);
  const { ok, findings } = JSON.parse(stdout) as {
    ok: boolean;
    findings: { name: string; verdict: string; text: string }[];
  };
  expect(ok).toBe(false);
  const failed = findings.filter((finding) => finding.verdict === 'fail').map((finding) => finding.name);
  expect(failed.filter((name) => name !== 'database')).toEqual([
    'secret key',
    'storage',
    'ffmpeg',
    'public address',
    'sandbox',
    'mail',
    'platform',
    'platform',
  ]);
  expect(findings.at(-1)?.text).toMatch(/^TELEGRAM_API_URL: .*not_https.*ALLOWED_PRIVATE_HOSTS/);
  expect(stdout).not.toContain('half"');
  expect(stdout).not.toContain('hidden');
});

test('the sandbox command runs standalone until it is stopped', async () => {
  const env = { ...service.env, PORT: '0', PUBLIC_URL: 'http://localhost:0' };
  const serving = await reelayUntil(['sandbox', 'serve'], /The sandbox is at (\S+)/, { env });
  expect((await fetch(`${serving.found[1]}/feed.json`)).status).toBe(200);
  expect(await serving.stop()).toBe(0);
});
