/** Drives the Snapchat connector against its simulator. */
import { simulator } from '@reelay/sandbox/platforms/snapchat/index.ts';
import { type Medium, SETTINGS, type Settings, type Spotlight } from '@reelay/sandbox/platforms/snapchat/records.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const CALLBACK = 'https://reelay.example/oauth/snapchat/callback';

export async function startSnapchat(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: CALLBACK,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: { slowMs: 5, ...overrides },
  });
  const { store } = drive;
  const connect = (granted = 'snapchat-profile-api'): Promise<Tokens> =>
    drive.connect((url) => consent(url, { granted }));
  const work = async (text: string, given: WorkOptions = {}) => drive.workWith(await connect(), text, given);
  const set = (settings: Partial<Settings>) => store.put(...SETTINGS, settings);
  const media = async () => (await store.list<Medium>('medium', { limit: 100 })).map(({ value }) => value);
  const spotlights = async () => (await store.list<Spotlight>('spotlight', { limit: 100 })).map(({ value }) => value);
  let made = 0;
  /** Creates a spotlight that a user posted in the app: like ours, except for these changes. */
  const spotlightByHand = async (like: Partial<Spotlight>) => {
    made++;
    const { remoteId } = await drive.simulator.enrol('nora');
    const spotlight: Spotlight = {
      id: `W7_by_hand_${made}`,
      profileId: remoteId,
      mediaId: '',
      caption: '',
      locale: 'en_US',
      savedToProfile: true,
      createdAt: drive.clock.now,
      rejected: false,
      announced: true,
      ...like,
    };
    await store.put('spotlight', spotlight.id, spotlight, remoteId);
    return spotlight;
  };
  return { ...drive, connect, work, set, media, spotlights, spotlightByHand };
}

export type Snapchat = Awaited<ReturnType<typeof startSnapchat>>;

/** Opens the consent page and submits its form, like the user's browser. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; granted?: string; decision?: string } = {},
): Promise<URLSearchParams> {
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username: 'nora', decision: 'allow', granted: 'snapchat-profile-api', ...given });
  return (await sendForm(url, body)).searchParams;
}

export const isToken = ({ path }: Call) => path === '/login/oauth2/access_token';
export const isProfile = ({ path }: Call) => path === '/v1/public_profiles/my_profile';
export const isCreate = ({ method, path }: Call) => method === 'POST' && path.endsWith('/media');
/** Matches the upload of a part and the finalize call. */
export const isUpload = ({ path }: Call) => path.endsWith('/multipart-upload');
export const isList = ({ method, path }: Call) => method === 'GET' && /\/spotlights($|\?)/.test(path);
export const isPost = ({ method, path }: Call) => method === 'POST' && path.endsWith('/spotlights');
export const isReview = ({ method, path }: Call) => method === 'GET' && /\/spotlights\/[^/]+$/.test(path);

/** For the exactly-once suite. */
export const once: OnceRequests<object> = {
  requests: [
    { name: 'creation', when: isCreate },
    { name: 'part', when: (call) => isUpload(call) && call.nth === 1 },
    { name: 'finalizing', when: (call) => isUpload(call) && call.nth === 2 },
    { name: 'list', when: isList },
    { name: 'spotlight', when: isPost },
    { name: 'review', when: isReview },
  ],
  refusals: ['is refused for the token'],
  send: isPost,
  creates: isCreate,
  killed: { calls: 7 },
  doubts: 'Snapchat shows a post that may be this one.',
  list: { when: isList },
};
