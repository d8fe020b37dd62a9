import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowser } from '../../server/test/account/browser.ts';
import { addAccount } from '../../server/test/harness/rows.ts';
import { type Ran, reelay, reelayUntil, type SharedService, startShared } from './run.ts';

let service: SharedService;
beforeAll(async () => {
  service = await startShared();
  await mkdir(service.env.DATA_DIR ?? '', { recursive: true });
});
afterAll(() => service.close());

const run = (args: readonly string[], input?: string): Promise<Ran> => reelay(args, { env: service.env, input });

/** What a command that must succeed says. */
async function said(args: readonly string[], input?: string): Promise<string> {
  const { status, stdout, stderr } = await run(args, input);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** The one line with which a command is refused. */
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

async function newUser(name: string, plan = 'PRO'): Promise<string> {
  const email = `${name}@example.org`;
  await said(['users', 'create', '--email', email, '--plan', plan]);
  return email;
}

const platformsOf = (key: string) => service.clientWith({ authorization: `Bearer ${key}` }).get('/platform/platforms');

test('a user is made with a password that is shown once and signs in', async () => {
  const stdout = await said(['users', 'create', '--email', 'First@Example.org']);
  expect(stdout).toMatch(
    /^first@example\.org is a user on plan PRO, and the operator\.\nPassword, shown only now: \S{20}\n$/,
  );
  const password = stdout.trimEnd().split(' ').at(-1) ?? '';
  expect(await signIn('first@example.org', password)).toBe(200);
  expect(await said(['users', 'list'])).not.toContain(password);
  expect(await refused(['users', 'create', '--email', 'first@example.org'])).toBe(
    'There is a user first@example.org already.',
  );
});

test('a password is taken from standard input, and an unfit one refused', async () => {
  const create = ['users', 'create', '--email', 'second@example.org'];
  expect(await refused([...create, '--password', 'short'])).toContain('A password has 10 to 128 characters.');
  expect(await refused([...create, '--password-stdin'])).toContain('no password on standard input');
  expect(await refused([...create, '--password', 'x', '--password-stdin'], 'y\n')).toContain('not both');
  expect(await said([...create, '--password-stdin'], 'correct horse battery\n')).toBe(
    'second@example.org is a user on plan PRO.\n',
  );
  expect(await signIn('second@example.org', 'correct horse battery')).toBe(200);
  await said(['users', 'set-password', '--user', 'second@example.org', '--password-stdin'], 'staple battery horse');
  expect(await signIn('second@example.org', 'correct horse battery')).toBe(401);
  expect(await signIn('second@example.org', 'staple battery horse')).toBe(200);
});

test('plan, late policy, suspension and removal take effect at once in the running service', async () => {
  const user = await newUser('changing');
  const key = (await said(['keys', 'create', '--user', user])).trimEnd();
  await said(['users', 'set-plan', '--user', user, '--plan', 'FREE']);
  await said(['users', 'set', '--user', user, '--late', 'skip']);
  const listed = JSON.parse(await said(['users', 'list', '--json']));
  expect(listed).toContainEqual(expect.objectContaining({ email: user, plan: 'FREE', late: 'skip', suspended: false }));
  await said(['users', 'suspend', '--user', user]);
  expect((await platformsOf(key)).body.code).toBe('account_suspended');
  await said(['users', 'resume', '--user', user]);
  expect((await platformsOf(key)).status).toBe(200);
  await said(['users', 'delete', '--user', user]);
  expect((await platformsOf(key)).status).toBe(401);
  expect(await refused(['users', 'suspend', '--user', user])).toBe(`There is no user ${user}.`);
});

test('a key stands alone on standard output; replacing one is said beside it', async () => {
  const user = await newUser('keyed');
  const first = await said(['keys', 'create', '--user', user]);
  expect(first).toMatch(/^rly_[0-9A-Za-z]{46}\n$/);
  expect((await platformsOf(first.trimEnd())).status).toBe(200);
  const second = await run(['keys', 'create', '--user', user]);
  expect(second.stdout).toMatch(/^rly_[0-9A-Za-z]{46}\n$/);
  expect(second.stderr).toBe(`It replaces the key ${first.slice(0, 12)}…, which fails from now on.\n`);
  expect((await platformsOf(first.trimEnd())).status).toBe(401);
  expect((await platformsOf(second.stdout.trimEnd())).status).toBe(200);
});

test('every platform is connected in the sandbox; the id stands alone', async () => {
  const user = await newUser('sandboxed');
  const connect = (platform: string) => [
    'sandbox',
    'connect',
    '--user',
    user,
    '--platform',
    platform,
    '--username',
    'nora',
  ];
  const platforms = ['tiktok', 'mastodon', 'bluesky'];
  const ids = await Promise.all(platforms.map((platform) => said(connect(platform))));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}\n$/);
  const accounts = JSON.parse(await said(['accounts', 'list', '--user', user, '--json']));
  for (const [index, platform] of platforms.entries())
    expect(accounts).toContainEqual(
      expect.objectContaining({ id: ids[index]?.trimEnd(), platform, status: 'CONNECTED', sandbox: true, user }),
    );
});

test('what an account has to choose is shown, and chosen anew by name', async () => {
  const user = await newUser('choosing');
  const connect = ['sandbox', 'connect', '--user', user, '--platform', 'pinterest', '--username', 'nora'];
  const id = (await said(connect)).trimEnd();
  const shown = JSON.parse(await said(['accounts', 'show', id, '--json']));
  expect(shown).toMatchObject({ id, platform: 'pinterest', choices: [{ name: 'board', value: 'PUBLIC' }] });
  const drafts = shown.choices[0].values.find(({ label }: { label: string }) => label === 'Drafts').value;
  expect(await said(['accounts', 'set', id, '--choice', 'board=drafts'])).toBe(`board is ${drafts} from now on.\n`);
  expect(await said(['accounts', 'show', id])).toMatch(
    new RegExp(`board: ${drafts} .*\\n.*\\n.*PUBLIC +The oldest`, 's'),
  );
  const listed = JSON.parse(await said(['accounts', 'list', '--user', user, '--json']));
  expect(listed).toMatchObject([{ id, choices: [{ value: drafts }] }]);
  expect(await refused(['accounts', 'set', id, '--choice', 'board=Nowhere'])).toContain(`${drafts} (Drafts)`);
  expect(await refused(['accounts', 'set', id, '--choice', 'board'])).toContain('write name=value');
  expect(await refused(['accounts', 'show', 'nothing'])).toContain('There is no connected account');
});

test('connecting again gives the same id and says so; disconnecting twice is refused', async () => {
  const user = await newUser('again');
  const connect = ['sandbox', 'connect', '--user', user, '--platform', 'tiktok', '--username', 'nora'];
  const id = await said(connect);
  const again = await run(connect);
  expect(again).toEqual({ status: 0, stdout: id, stderr: 'tiktok nora was connected before.\n' });
  expect(await said(['accounts', 'disconnect', id.trimEnd()])).toBe('tiktok nora is disconnected.\n');
  expect(await refused(['accounts', 'disconnect', id.trimEnd()])).toContain('There is no connected account');
});

test('for consent an address is printed alone, and opening it connects the account', async () => {
  const user = await newUser('consenting');
  const connect = ['accounts', 'connect', '--user', user, '--platform', 'tiktok', '--sandbox', '--privacy', 'public'];
  const { stdout, stderr } = await run(connect);
  expect(stdout).toMatch(/^http:\/\/localhost:\d+\/oauth\/tiktok\/start\?ticket=\S+\n$/);
  expect(stderr).toContain('in a browser');
  const page = await createBrowser().open(stdout.trimEnd());
  expect((await page.submit({ username: 'nora', decision: 'allow' })).html).toContain('is connected');
  const [account] = JSON.parse(await said(['accounts', 'list', '--user', user, '--json']));
  expect(account).toMatchObject({ platform: 'tiktok', username: 'nora' });
});

test('an app password comes from standard input and connects at once', async () => {
  const user = await newUser('logging-in');
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
  const { status, stdout, stderr } = await run([...connect, '--secret-stdin'], `${secret}\n`);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f-]{36}\n$/)]);
  expect(stderr).toContain('is connected');
  expect(stdout + stderr).not.toContain(secret);
});

test('the limit of the plan holds for the command line, and is told in numbers', async () => {
  const user = await newUser('limited', 'FREE');
  const [row] = await service.db.query<{ id: string }>('select id from auth."user" where email = $1', [user]);
  for (let number = 0; number < 3; number++) await addAccount(service.db, row?.id ?? '');
  const connect = ['sandbox', 'connect', '--user', user, '--platform', 'tiktok', '--username', 'four'];
  expect(await refused(connect)).toContain('(connected_accounts: 3 of 3)');
});

test('what is not understood is one line', async () => {
  expect(await refused(['accounts', 'connect', '--user', 'first@example.org', '--platform', 'myspace'])).toContain(
    'tiktok',
  );
  expect(await refused(['users', 'frobnicate'])).toContain('unknown command');
  expect(await refused(['users', 'set-plan', '--user', 'a@b.c', '--plan', 'GOLD'])).toContain('GOLD');
  const env = { ...service.env, RATE_LIMIT: 'sometimes' };
  const { status, stderr } = await reelay(['users', 'list'], { env });
  expect([status, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringContaining('RATE_LIMIT')]]);
});

test('a database that does not answer is one line with the reason', async () => {
  const env = { ...service.env, DATABASE_URL: 'postgres://reelay:hunter2@127.0.0.1:9/reelay' };
  const { status, stdout, stderr } = await reelay(['users', 'list'], { env });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The database does not answer\. \(.*ECONNREFUSED.*\)\n$/);
  expect(stderr).not.toContain('hunter2');
});

test('a schema of this version needs no migration', async () => {
  expect(await said(['migrate'])).toBe('The schema is up to date.\n');
});

test('the doctor finds a running service well, and names the redirect addresses', async () => {
  const { status, stdout } = await run(['doctor']);
  expect(stdout).toContain('All is well.');
  expect(status).toBe(0);
  for (const name of ['clock', 'database', 'secret key', 'storage', 'ffmpeg', 'worker', 'public address', 'sandbox'])
    expect(stdout).toMatch(new RegExp(`^ok    ${name}: `, 'm'));
  expect(stdout).toContain(`${service.context.config.publicUrl}/oauth/tiktok/callback`);
});

test('the doctor asks the addresses that the operator gives for one platform', async () => {
  const { host, origin } = new URL(service.context.config.publicUrl);
  const env = {
    ...service.env,
    ALLOWED_PRIVATE_HOSTS: host,
    BLUESKY_PLC_URL: `${origin}/plc/`,
    TELEGRAM_STORAGE_CHAT: '-1001234567890',
  };
  const { status, stdout } = await reelay(['doctor'], { env });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ok {4}platform: .*BLUESKY_PLC_URL answers$/m);
  expect(stdout).toMatch(/^ok {4}platform: .*TELEGRAM_STORAGE_CHAT is set$/m);
});

test('the doctor names everything that is wrong and exits 1', async () => {
  const env = {
    ...service.env,
    PUBLIC_URL: 'http://localhost:9',
    FFMPEG_PATH: '/nonexistent/ffmpeg',
    STORAGE_URL: 'file:///dev/null/files',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    TIKTOK_CLIENT_KEY: 'half',
    TELEGRAM_API_URL: 'http://127.0.0.1:9/api',
  };
  const { status, stdout } = await reelay(['doctor', '--json'], { env });
  expect(status).toBe(1);
  const { ok, findings } = JSON.parse(stdout) as {
    ok: boolean;
    findings: { name: string; verdict: string; text: string }[];
  };
  expect(ok).toBe(false);
  const failed = findings.filter((finding) => finding.verdict === 'fail').map((finding) => finding.name);
  expect(failed).toEqual(['secret key', 'storage', 'ffmpeg', 'public address', 'sandbox', 'platform', 'platform']);
  expect(findings.at(-1)?.text).toMatch(/^TELEGRAM_API_URL: .*not_https.*ALLOWED_PRIVATE_HOSTS/);
  expect(stdout).not.toContain('half"');
});

test('the sandbox serves alone until it is told to end', async () => {
  const env = { ...service.env, PORT: '0', PUBLIC_URL: 'http://localhost:0' };
  const serving = await reelayUntil(['sandbox', 'serve'], /The sandbox is at (\S+)/, { env });
  expect((await fetch(`${serving.found[1]}/feed.json`)).status).toBe(200);
  expect(await serving.stop()).toBe(0);
});
