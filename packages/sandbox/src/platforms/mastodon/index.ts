/** Simulator of a Mastodon 4.5 instance, based on docs.joinmastodon.org and Mastodon's source. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { refusal, unauthorised } from './access.ts';
import { appRoutes, issueToken } from './apps.ts';
import { consentRoutes } from './consent.ts';
import { instanceRoutes } from './instance.ts';
import { mediaRoutes } from './media.ts';
import { rateHeaders } from './rates.ts';
import { type App, accountNamed, createWorld, variant } from './state.ts';
import { statusRoutes } from './statuses.ts';
import { text } from './texts.ts';

/** Wait in ms for an error that gives one. */
const REFUSED_WAIT_MS = 2_000;
const SCOPES = ['read:accounts', 'read:statuses', 'write:media', 'write:statuses'];

export const simulator: SimulatorModule = {
  platform: 'mastodon',
  create,
  endpoints: (baseUrl) => ({ instance: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('idempotency keys that are not kept', { forgetIdempotencyKey: true }),
    variant('an older server', { oldServer: true, synchronousMedia: true }),
  ],
};

function create(options: SimulatorOptions): Simulator {
  const world = createWorld(options);
  return {
    platform: 'mastodon',
    routes: [
      ...appRoutes(world),
      ...consentRoutes(world),
      ...instanceRoutes(world),
      ...mediaRoutes(world),
      ...statusRoutes(world),
    ],
    refusal: (kind) => refusals(options)[kind],
    unknownRoute: () => refusal(404, 'Not Found'),
    async enrol(username) {
      const account = await accountNamed(world, username);
      const app: App = {
        id: '1',
        name: 'Sandbox',
        website: null,
        redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
        scopes: SCOPES,
        ...options.app,
      };
      await options.books.insert('app', app.clientId, app);
      const tokenAnswer = await issueToken(world, { clientId: app.clientId, accountId: account.id, scopes: SCOPES });
      return { remoteId: account.id, username: account.username, tokenAnswer, credentials: null };
    },
  };
}

function refusals({ now }: SimulatorOptions): Record<PlatformRefusal, SimulatorResponse> {
  const tooMany = text('en', 'tooMany');
  return {
    'rate-limited': refusal(429, tooMany),
    'rate-limited-with-wait': refusal(429, tooMany, rateHeaders(300, 0, now() + REFUSED_WAIT_MS)),
    'server-error': {
      status: 500,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: "<!doctype html><title>We're sorry, but something went wrong on our end.</title>",
    },
    'token-expired': unauthorised('en', 'expiredToken'),
    'token-revoked': unauthorised('en', 'revokedToken'),
  };
}
