import { describe, expect, test } from 'vitest';
import type { ConnectContext } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { failureOf } from './walk.ts';

/** A context without any application. No request may be sent. */
function contextOf(id: string): ConnectContext {
  return {
    http: () => Promise.reject(new Error('A request was sent.')),
    endpoints: connectors[id]?.endpoints ?? {},
    settings: {},
    app: null,
    apps: {},
    publicUrl: 'https://reelay.example',
    registrations: { get: async () => null, put: async () => {} },
    clientKey: async () => ({}),
    now: () => 0,
  };
}

const redirectUri = 'https://reelay.example/oauth/callback';

describe('messages of the sign-in', () => {
  test.each([
    ['tiktok', 'No TikTok application is configured. Set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET.'],
    ['youtube', 'No Google application is configured. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.'],
    ['x', 'No X application is configured. Set X_CLIENT_ID and X_CLIENT_SECRET.'],
    ['threads', 'No Threads application is configured. Set THREADS_APP_ID and THREADS_APP_SECRET.'],
    ['pinterest', 'No Pinterest application is configured. Set PINTEREST_APP_ID and PINTEREST_APP_SECRET.'],
    ['snapchat', 'No Snapchat application is configured. Set SNAPCHAT_CLIENT_ID and SNAPCHAT_CLIENT_SECRET.'],
    ['facebook', 'No Facebook application is configured. Set FACEBOOK_APP_ID and FACEBOOK_APP_SECRET.'],
  ])('%s names the missing variables', async (id, text) => {
    const attempt = connectors[id]?.oauth?.authorize(contextOf(id), { state: 's', redirectUri });
    expect(await failureOf(attempt ?? Promise.resolve())).toEqual({
      kind: 'setup',
      detail: expect.objectContaining({ code: 'app_missing', text }),
    });
  });

  test.each([
    ['tiktok', 'TikTok returned no authorization code. Try again.'],
    ['youtube', 'Google returned no authorization code. Try again.'],
    ['x', 'X returned no authorization code. Try again.'],
    ['threads', 'Threads returned no authorization code. Try again.'],
    ['pinterest', 'Pinterest returned no authorization code. Try again.'],
    ['snapchat', 'Snapchat returned no authorization code. Try again.'],
    ['facebook', 'Facebook returned no authorization code. Try again.'],
    ['linkedin', 'LinkedIn returned no authorization code. Try again.'],
  ])('%s reports a callback without a code', async (id, text) => {
    const query = new URLSearchParams({ error: 'access_denied' });
    const attempt = connectors[id]?.oauth?.exchange(contextOf(id), { query, redirectUri, kept: {} });
    expect(await failureOf(attempt ?? Promise.resolve())).toEqual({
      ...{ kind: 'transient', cause: 'server' },
      detail: expect.objectContaining({ code: 'code_missing', text }),
    });
  });
});
