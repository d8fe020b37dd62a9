/** Local commands: they use the server's code, environment and database. Each is loaded only when it runs. */
import type { Environment } from '@reelay/server/config/env.ts';
import { PLAN_NAMES } from '@reelay/server/config/plan-names.ts';
import { type Command, Option } from 'commander';

const forUser = () => new Option('--user <e-mail>', 'whose').makeOptionMandatory();
const plan = () => new Option('--plan <plan>', 'plan').choices(PLAN_NAMES);
const machine = () => new Option('--json', 'for machines');
const platform = () => new Option('--platform <name>', 'name of the social network').makeOptionMandatory();

/** @param read reads the environment */
export function addLocalCommands(program: Command, read: () => Promise<Environment>): void {
  program
    .command('start')
    .description('start the service')
    .action(async () => void (await import('@reelay/server/main.ts')));
  program
    .command('migrate')
    .description('bring the database to the schema of this version')
    .action(async () => (await import('./migrate.ts')).showMigrations(await read()));
  program
    .command('doctor')
    .description('look for what would keep the service from working; exit 1 if anything would')
    .addOption(machine())
    .action(async (options) => (await import('./doctor.ts')).doctor(await read(), options));
  program
    .command('secrets')
    .description('what is sealed by SECRET_KEY')
    .command('rotate')
    .description('seal by SECRET_KEY what SECRET_KEY_PREVIOUS has sealed')
    .action(async () => (await import('./secrets.ts')).rotate(await read()));
  addUsers(program.command('users').description('users of the service'), read);
  program
    .command('keys')
    .description('API keys')
    .command('create')
    .description('make a key and print it alone; the one before it fails from then on')
    .addOption(forUser())
    .action(async ({ user }) => (await import('./keys.ts')).createKey(await read(), user));
  addAccounts(program.command('accounts').description('connected accounts'), read);
  addApps(program.command('apps').description('your applications at platforms'), read);
  addSandbox(program.command('sandbox').description('simulated platforms, to try everything'), read);
}

function addUsers(users: Command, read: () => Promise<Environment>): void {
  const load = () => import('./users.ts');
  users
    .command('create')
    .description('make a user; the first one is the operator')
    .requiredOption('--email <e-mail>', 'address to sign in with')
    .option('--password <password>', 'at least 12 characters; others of this machine may see it')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(plan())
    .addOption(machine())
    .action(async (options) => (await load()).create(await read(), options));
  users
    .command('list')
    .description('all users')
    .addOption(machine())
    .action(async (options) => (await load()).list(await read(), options));
  users
    .command('set-plan')
    .description('give a user another plan; nothing is removed')
    .addOption(forUser())
    .addOption(plan().makeOptionMandatory())
    .action(async (options) => (await load()).changePlan(await read(), options));
  users
    .command('set-password')
    .description('set a password, or make one, and end the sessions')
    .addOption(forUser())
    .option('--password <password>', 'at least 12 characters; others of this machine may see it')
    .option('--password-stdin', 'read the password from standard input')
    .option('--revoke-key', "revoke the user's API key too")
    .action(async (options) => (await load()).changePassword(await read(), options));
  users
    .command('set')
    .description('settings of a user')
    .addOption(forUser())
    .addOption(
      new Option('--late <policy>', 'what happens to posts that were due while nothing ran')
        .choices(['post', 'skip'])
        .makeOptionMandatory(),
    )
    .action(async (options) => (await load()).changeLate(await read(), options));
  for (const [name, description] of [
    ['suspend', 'refuse everything of a user from now on; what is scheduled still goes out'],
    ['resume', 'end a suspension'],
    ['delete', 'remove a user with everything here; what was published stays at the platforms'],
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
    .description('connect an account; for most platforms it prints an address to open in a browser')
    .addOption(forUser())
    .addOption(platform())
    .option('--service <address>', 'server of the account, where a platform has many')
    .option('--identifier <name>', 'handle of the account')
    .option('--login <kind>', 'kind of login, where the platform has several')
    .option('--account <id>', 'connect this account again, and no other')
    .option('--secret-stdin', 'read an app password or token from standard input and connect at once')
    .option('--privacy <value>', 'who sees posts, where the platform wants that chosen')
    .option('--choice <name=value...>', 'any other choice that the platform wants made')
    .option('--sandbox', 'at the simulated platform')
    .addOption(machine())
    .action(async (options) => (await import('./connect.ts')).connect(await read(), options));
  accounts
    .command('list')
    .description('connected accounts')
    .option('--user <e-mail>', 'of this user only')
    .addOption(machine())
    .action(async (options) => (await load()).list(await read(), options));
  accounts
    .command('show')
    .description('an account, with what is chosen on it and what there is to choose from')
    .argument('<id>', 'id of the account')
    .addOption(machine())
    .action(async (id, options) => (await load()).show(await read(), id, options));
  accounts
    .command('set')
    .description('choose anew what the platform wants chosen; what has not begun is posted so')
    .argument('<id>', 'id of the account')
    .requiredOption('--choice <name=value...>', 'a value, or what it is called: board=Recipes')
    .action(async (id, options) => (await load()).set(await read(), id, options));
  accounts
    .command('attempt')
    .description('what happened when somebody tried to connect an account')
    .argument('<id>', 'the reference that was shown')
    .addOption(machine())
    .action(async (id, options) => (await load()).attempt(await read(), id, options));
  accounts
    .command('disconnect')
    .description('disconnect an account; what has not begun on it fails')
    .argument('<id>', 'id of the account')
    .action(async (id) => (await import('./connect.ts')).disconnect(await read(), id));
}

function addApps(apps: Command, read: () => Promise<Environment>): void {
  const load = () => import('./apps.ts');
  apps
    .command('list')
    .description('what is set up at each platform, and the redirect address to tell it')
    .addOption(machine())
    .action(async (options) => (await load()).list(await read(), options));
  apps
    .command('set')
    .description('store the application that you registered at a platform; its secret is read from standard input')
    .argument('<name>', 'as the list names it')
    .requiredOption('--client-id <id>', 'its public half')
    .action(async (name, options) => (await load()).set(await read(), name, options));
  apps
    .command('remove')
    .description('forget a stored application')
    .argument('<name>', 'as the list names it')
    .action(async (name) => (await load()).remove(await read(), name));
}

function addSandbox(sandbox: Command, read: () => Promise<Environment>): void {
  sandbox
    .command('connect')
    .description('connect an account at a simulated platform and print its id alone')
    .addOption(forUser())
    .addOption(platform())
    .requiredOption('--username <name>', 'user name at the simulated platform')
    .action(async (options) => (await import('./sandbox.ts')).connect(await read(), options));
  sandbox
    .command('serve')
    .description('serve the simulated platforms alone')
    .action(async () => (await import('./serve.ts')).serve(await read()));
}
