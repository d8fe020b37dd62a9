/**
 * Starts a real Bluesky server (PDS) and the identity directory that it needs (PLC, in memory) on free ports of
 * 127.0.0.1. Creates one account with an app password and prints one line of JSON: `{service, plc, handle, did,
 * appPassword, accountPassword}`. All data is in a temporary folder that is deleted at the end. Exits on SIGTERM and
 * SIGINT, and when its parent process is gone.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const BLOB_LIMIT_BYTES = 100 * 1024 * 1024;
const PARENT_CHECK_MS = 500;

const parent = process.ppid;
const folder = mkdtempSync(path.join(os.tmpdir(), 'reelay-pds-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const plc = await import('@did-plc/server');
const { PDS, envToCfg, envToSecrets, readEnv } = await import('@atproto/pds');

const directory = plc.PlcServer.create({ db: plc.Database.mock(), port: await freePort() });
onLoopback(directory.app);
await directory.start();
const plcUrl = `http://127.0.0.1:${directory.ctx.port}`;

const env = {
  ...readEnv(),
  port: await freePort(),
  hostname: 'localhost',
  devMode: true,
  dataDirectory: folder,
  blobstoreDiskLocation: path.join(folder, 'blobs'),
  blobUploadLimit: BLOB_LIMIT_BYTES,
  didPlcUrl: plcUrl,
  inviteRequired: false,
  enableDidDocWithSession: true,
  rateLimitsEnabled: process.argv.includes('--rate-limits'),
  jwtSecret: randomBytes(32).toString('hex'),
  dpopSecret: randomBytes(32).toString('hex'),
  adminPassword: randomBytes(16).toString('hex'),
  plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
};
const pds = await PDS.create(envToCfg(env), envToSecrets(env));
onLoopback(pds.app);
await pds.start();

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  clearInterval(watch);
  await Promise.allSettled([pds.destroy(), directory.destroy()]);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
const watch = setInterval(() => process.ppid !== parent && void stop(), PARENT_CHECK_MS);

process.stdout.write(`${JSON.stringify(await makeAccount(`http://localhost:${env.port}`))}\n`);

async function makeAccount(service) {
  const accountPassword = randomBytes(12).toString('base64url');
  const handle = 'nora.test';
  const account = await call(service, 'com.atproto.server.createAccount', {
    email: 'nora@example.org',
    handle,
    password: accountPassword,
  });
  const app = await call(service, 'com.atproto.server.createAppPassword', { name: 'reelay' }, account.accessJwt);
  return { service, plc: plcUrl, handle, did: account.did, appPassword: app.password, accountPassword };
}

async function call(service, method, input, token) {
  const response = await fetch(`${service}/xrpc/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${method} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Both servers listen on all addresses unless their Express app overrides it. */
function onLoopback(app) {
  const listen = app.listen.bind(app);
  app.listen = (port) => listen(port, '127.0.0.1');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
