/** Mastodon: masto.js. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRestAPIClient, MastoHttpError } from 'masto';
import type { ClientSuite, ClientWorld } from './contract.ts';

async function drive({ simulator: { url }, redirectUri, video, consent, call }: ClientWorld): Promise<void> {
  const scopes = 'read write';
  const anonymous = createRestAPIClient({ url });
  const app = await call('v1.apps.create', () =>
    anonymous.v1.apps.create({ clientName: 'App', redirectUris: redirectUri, scopes }),
  );
  const authorize = new URL(`${url}/oauth/authorize`);
  authorize.search = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId ?? '',
    redirect_uri: redirectUri,
    scope: scopes,
  }).toString();
  const code = (await consent(authorize)).searchParams.get('code') ?? '';
  void code;
  await call('v2.instance.fetch', () => anonymous.v2.instance.fetch());
  void readFile;
  void video;
  void MastoHttpError;
  assert.ok(code);
}

export const suite: ClientSuite = { hosts: [], clients: [{ name: 'masto', drive }] };
