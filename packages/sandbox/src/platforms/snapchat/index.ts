/** Simulator of Snapchat: consent, a public profile, encrypted media in parts, and Spotlight. */
import type { Simulator, SimulatorModule, SimulatorOptions, SimulatorVariant } from '../../contract.ts';
import { refusal, tooMany, unauthorised } from './answers.ts';
import { route } from './caller.ts';
import { consentRoutes } from './consent.ts';
import { mediaRoutes } from './media.ts';
import { avatar, spotlightPage } from './pages.ts';
import { profileRoutes } from './profile.ts';
import { enrolProfile, SCOPE, SETTINGS, type Settings } from './records.ts';
import { spotlightRoutes } from './spotlights.ts';
import { exchange, grantTokens } from './tokens.ts';

/** Wait in seconds for an error that gives one. */
const REFUSED_WAIT_SECONDS = 2;

export const simulator: SimulatorModule = {
  platform: 'snapchat',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl, accounts: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('errors with status 200, and profiles in a list', { errorStatus: 200, profileShape: 'list' }),
  ],
};

function variant(name: string, settings: Partial<Settings>): SimulatorVariant {
  return { name, prepare: (books) => books.put(...SETTINGS, settings) };
}

function create(options: SimulatorOptions): Simulator {
  return {
    platform: 'snapchat',
    routes: [
      ...consentRoutes(options),
      route('POST', '/login/oauth2/access_token', (request) => exchange(options, request)),
      ...profileRoutes(options),
      ...mediaRoutes(options),
      ...spotlightRoutes(options),
      route('GET', '/spotlight/:id', (request) => spotlightPage(options, request)),
      route('GET', '/avatar/:id', (request) => avatar(options, request)),
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return tooMany();
        case 'rate-limited-with-wait':
          return tooMany(REFUSED_WAIT_SECONDS);
        case 'server-error':
          return refusal(500, 'INTERNAL_ERROR', 'Something went wrong.');
        case 'token-expired':
        case 'token-revoked':
          return unauthorised();
      }
    },
    unknownRoute: () => refusal(404, 'NOT_FOUND', 'There is no such path.'),
    async enrol(username) {
      const profile = await enrolProfile(options, username);
      return {
        remoteId: profile.id,
        username: profile.username,
        tokenAnswer: await grantTokens(options, profile.id, [SCOPE]),
        credentials: null,
      };
    },
  };
}
