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
    ['tiktok', 'No TikTok application is configured: set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET.'],
    ['youtube', 'No Google application is configured: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.'],
    ['x', 'No X application is configured: set X_CLIENT_ID and X_CLIENT_SECRET.'],
    ['threads', 'No Threads application is configured: set THREADS_APP_ID and THREADS_APP_SECRET.'],
    ['pinterest', 'No Pinterest application is configured: set PINTEREST_APP_ID and PINTEREST_APP_SECRET.'],
    ['snapchat', 'No Snapchat application is configured: set SNAPCHAT_CLIENT_ID and SNAPCHAT_CLIENT_SECRET.'],
    ['facebook', 'No Facebook application is configured: set FACEBOOK_APP_ID and FACEBOOK_APP_SECRET.'],
  ])('%s names the missing variables', async (id, detail) => {
    const attempt = connectors[id]?.oauth?.authorize(contextOf(id), { state: 's', redirectUri });
    expect(await failureOf(attempt ?? Promise.resolve())).toEqual({ kind: 'setup', detail });
  });

  test.each([
    ['tiktok', 'TikTok came back without a code. Try again.'],
    ['youtube', 'Google came back without a code. Try again.'],
    ['x', 'X came back without a code. Try again.'],
    ['threads', 'Threads came back without a code. Try again.'],
    ['pinterest', 'Pinterest came back without a code. Try again.'],
    ['snapchat', 'Snapchat came back without a code. Try again.'],
    ['facebook', 'Facebook came back without a code. Try again.'],
    ['linkedin', 'LinkedIn came back without a code. Try again.'],
  ])('%s reports a callback without a code', async (id, detail) => {
    const query = new URLSearchParams({ error: 'access_denied' });
    const attempt = connectors[id]?.oauth?.exchange(contextOf(id), { query, redirectUri, kept: {} });
    expect(await failureOf(attempt ?? Promise.resolve())).toEqual({ kind: 'transient', detail });
  });
});
