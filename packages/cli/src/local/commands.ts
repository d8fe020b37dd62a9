/** Local commands: they use the server's code, environment and database. Each is loaded only when it runs. */
import type { Environment } from '@reelay/server/config/env.ts';
import { PLAN_NAMES } from '@reelay/server/config/plan-names.ts';
import { type Command, Option } from 'commander';

const forUser = () => new Option('--user <email>', "user's email").makeOptionMandatory();
const plan = () => new Option('--plan <plan>', "user's plan").choices(PLAN_NAMES);
const machine = () => new Option('--json', 'print JSON');
const platform = () => new Option('--platform <name>', 'platform name').makeOptionMandatory();

/** @param read reads the environment */
export function addLocalCommands(program: Command, read: () => Promise<Environment>): void {
  program
    .command('start')
    .description('start the service')
    .action(async () => void (await import('@reelay/server/main.ts')));
  program
    .command('migrate')
    .description('apply pending database migrations')
    .action(async () => (await import('./migrate.ts')).showMigrations(await read()));
  program
    .command('doctor')
    .description('diagnose the installation; exits 1 if a check fails')
    .addOption(machine())
    .action(async (options) => (await import('./doctor.ts')).doctor(await read(), options));
  program
    .command('secrets')
    .description('manage encrypted values')
    .command('rotate')
    .description('re-encrypt with SECRET_KEY what is encrypted with SECRET_KEY_PREVIOUS')
    .action(async () => (await import('./secrets.ts')).rotate(await read()));
  addUsers(program.command('users').description('manage users'), read);
  program
    .command('keys')
    .description('manage API keys')
    .command('create')
    .description('create an API key and print only the key; revokes the previous one')
    .addOption(forUser())
    .action(async ({ user }) => (await import('./keys.ts')).createKey(await read(), user));
  addAccounts(program.command('accounts').description('manage connected accounts'), read);
  addApps(program.command('apps').description('manage your applications at platforms'), read);
  addSandbox(program.command('sandbox').description('use simulated platforms'), read);
}

function addUsers(users: Command, read: () => Promise<Environment>): void {
  const load = () => import('./users.ts');
  users
    .command('create')
    .description('create a user; the first one becomes the operator')
    .requiredOption('--email <email>', 'email for signing in')
    .option('--password <password>', 'at least 12 characters; visible to other users of this machine')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(plan())
    .addOption(machine())
    .action(async (options) => (await load()).create(await read(), options));
  users
    .command('list')
    .description('list users')
    .addOption(machine())
    .action(async (options) => (await load()).list(await read(), options));
  users
    .command('set-plan')
    .description("change a user's plan; nothing is deleted")
    .addOption(forUser())
    .addOption(plan().makeOptionMandatory())
    .action(async (options) => (await load()).changePlan(await read(), options));
  users
    .command('set-password')
    .description("set or generate a user's password; ends all sessions and removes passkeys")
    .addOption(forUser())
    .option('--password <password>', 'at least 12 characters; visible to other users of this machine')
    .option('--password-stdin', 'read the password from standard input')
    .option('--revoke-key', "also revoke the user's API key")
    .option('--keep-passkeys', "keep the user's passkeys")
    .action(async (options) => (await load()).changePassword(await read(), options));
  users
    .command('set')
    .description("change a user's settings")
    .addOption(forUser())
    .addOption(
      new Option('--late <policy>', 'what to do with posts that were due while the service was not running').choices([
        'post',
        'skip',
      ]),
    )
    .addOption(new Option('--second-factor <state>', "remove the user's second factor").choices(['off']))
    .action(async (options) => (await load()).changeSettings(await read(), options));
  for (const [name, description] of [
    ['suspend', 'reject all requests of a user; scheduled posts are still published'],
    ['resume', 'end the suspension of a user'],
    ['delete', 'delete a user and all their data; published posts stay on the platforms'],
  ] as const)
    users
      .command(name)
      .description(description)
      .addOption(forUser())
      .action(async ({ user }) => (await load())[name === 'delete' ? 'remove' : name](await read(), user));
}

function addAccounts(accounts: Command, read: () => Promise<Environment>): void {
  const load = () => import('./accounts.ts');
  accounts
    .command('connect')
    .description('connect an account; for most platforms, prints a URL to open in a browser')
    .addOption(forUser())
    .addOption(platform())
    .option('--service <url>', 'server of the account, for platforms with several servers')
    .option('--identifier <name>', 'account handle')
    .option('--login <kind>', 'login type, for platforms with several')
    .option('--account <id>', 'reconnect only this account')
    .option('--secret-stdin', 'read an app password or token from standard input and connect immediately')
    .option('--privacy <value>', 'visibility of posts, for platforms that require it')
    .option('--choice <name=value...>', 'any other account setting of the platform')
    .option('--sandbox', 'use the simulated platform')
    .addOption(machine())
    .action(async (options) => (await import('./connect.ts')).connect(await read(), options));
  accounts
    .command('list')
    .description('list connected accounts')
    .option('--user <email>', 'only accounts of this user')
    .addOption(machine())
    .action(async (options) => (await load()).list(await read(), options));
  accounts
    .command('show')
    .description('show an account with its settings and their possible values')
    .argument('<id>', 'account id')
    .addOption(machine())
    .action(async (id, options) => (await load()).show(await read(), id, options));
  accounts
    .command('set')
    .description("change an account's platform settings; applies to posts that have not started")
    .argument('<id>', 'account id')
    .requiredOption('--choice <name=value...>', 'setting by value or label, such as board=Recipes')
    .action(async (id, options) => (await load()).set(await read(), id, options));
  accounts
    .command('attempt')
    .description('show the steps of a connect attempt')
    .argument('<id>', 'reference from the error message')
    .addOption(machine())
    .action(async (id, options) => (await load()).attempt(await read(), id, options));
  accounts
    .command('disconnect')
    .description('disconnect an account; its posts that have not started fail')
    .argument('<id>', 'account id')
    .action(async (id) => (await import('./connect.ts')).disconnect(await read(), id));
}

function addApps(apps: Command, read: () => Promise<Environment>): void {
  const load = () => import('./apps.ts');
  apps
    .command('list')
    .description('list the application and redirect URI of each platform')
    .addOption(machine())
    .action(async (options) => (await load()).list(await read(), options));
  apps
    .command('set')
    .description('store an application registered at a platform; reads its secret from standard input')
    .argument('<name>', 'name as in apps list')
    .requiredOption('--client-id <id>', 'client id of the application')
    .action(async (name, options) => (await load()).set(await read(), name, options));
  apps
    .command('remove')
    .description('remove a stored application')
    .argument('<name>', 'name as in apps list')
    .action(async (name) => (await load()).remove(await read(), name));
}

function addSandbox(sandbox: Command, read: () => Promise<Environment>): void {
  sandbox
    .command('connect')
    .description('connect an account at a simulated platform and print only its id')
    .addOption(forUser())
    .addOption(platform())
    .requiredOption('--username <name>', 'username at the simulated platform')
    .action(async (options) => (await import('./sandbox.ts')).connect(await read(), options));
  sandbox
    .command('credentials')
    .description('print the credentials of a simulated platform, for your own client')
    .addOption(platform())
    .option('--username <name>', 'also of this account, which is created if the platform does not have it')
    .addOption(machine())
    .action(async (options) => (await import('./sandbox.ts')).credentials(await read(), options));
  sandbox
    .command('serve')
    .description('serve only the simulated platforms')
    .action(async () => (await import('./serve.ts')).serve(await read()));
}
