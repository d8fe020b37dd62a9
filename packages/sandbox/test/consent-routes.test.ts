import { expect, test } from 'vitest';
import { loadSimulator } from '../src/registry.ts';
import { startSimulator } from './harness/simulator.ts';

/** The consent routes of each simulator. */
async function consentRoutes(): Promise<Record<string, readonly string[]>> {
  const entries = Object.entries(loadSimulator).map(async ([platform, load]) => {
    const { simulator, close } = await startSimulator(await load());
    await close();
    const declared = simulator.routes.filter(({ isConsent }) => isConsent);
    return [platform, [...new Set(declared.map(({ method, path }) => `${method} ${path}`))]] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('each simulator declares its consent, and nothing else', async () => {
  expect(await consentRoutes()).toMatchInlineSnapshot(`
    {
      "bluesky": [
        "GET /oauth/authorize",
        "POST /oauth/authorize",
      ],
      "facebook": [
        "GET /:version/dialog/oauth",
        "POST /:version/dialog/oauth",
      ],
      "instagram": [
        "GET /www-instagram/oauth/authorize",
        "POST /www-instagram/oauth/authorize",
        "GET /www-facebook/:version/dialog/oauth",
        "POST /www-facebook/:version/dialog/oauth",
      ],
      "linkedin": [
        "GET /oauth/v2/authorization",
        "POST /oauth/v2/authorization",
      ],
      "mastodon": [
        "GET /oauth/authorize",
        "POST /oauth/authorize",
      ],
      "pinterest": [
        "GET /oauth/",
        "POST /oauth/",
        "GET /oauth",
        "POST /oauth",
      ],
      "snapchat": [
        "GET /login/oauth2/authorize",
        "POST /login/oauth2/authorize",
      ],
      "telegram": [],
      "threads": [
        "GET /oauth/authorize",
        "POST /oauth/authorize",
      ],
      "tiktok": [
        "GET /v2/auth/authorize/",
        "POST /v2/auth/authorize/",
        "GET /v2/auth/authorize",
        "POST /v2/auth/authorize",
      ],
      "x": [
        "GET /i/oauth2/authorize",
        "POST /i/oauth2/authorize",
      ],
      "youtube": [
        "GET /o/oauth2/v2/auth",
        "POST /o/oauth2/v2/auth",
      ],
    }
  `);
});
