/**
 * npm run pds: starts a real Bluesky server with one account for manual tests. The first run installs it (1 to 2
 * minutes). It runs until Ctrl-C; its data is then deleted.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(`../test-support/pds/${name}`, import.meta.url));

console.log('Installing and starting; the first time takes a minute or two ...');
const installed = spawnSync(process.execPath, [path('install.mjs')], { stdio: 'inherit' });
if (installed.status !== 0) {
  console.error('It could not be installed; besides npm it needs g++, make and python3.');
  process.exit(1);
}

const server = spawn(process.execPath, [path('start.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (status) => process.exit(status ?? 1));

for await (const line of createInterface({ input: server.stdout })) {
  const { service, plc, handle, appPassword, accountPassword } = JSON.parse(line);
  console.log(`
service       ${service}
handle        ${handle}
app password  ${appPassword}
password      ${accountPassword}   (for the consent page)

Let Reelay and its commands reach it, in both terminals:
  export ALLOWED_PRIVATE_HOSTS=localhost,127.0.0.1 BLUESKY_PLC_URL=${plc}
Start Reelay:
  npm start
Connect the account, and give the app password:
  echo ${appPassword} | npx reelay accounts connect --user you@example.org --platform bluesky \\
    --service ${service} --identifier ${handle} --secret-stdin`);
}
