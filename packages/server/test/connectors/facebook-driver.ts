/** Drives the Facebook connector in tests. */
import { simulator } from '@reelay/sandbox/platforms/facebook/index.ts';
import type { Grant, User, Video } from '@reelay/sandbox/platforms/facebook/records.ts';
import { SWITCHES, type Switches } from '@reelay/sandbox/platforms/facebook/records.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const REDIRECT = 'https://reelay.example/oauth/facebook/callback';

export async function startFacebook(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: REDIRECT,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: overrides,
  });
  const { store } = drive;
  const connect = (given: Parameters<typeof consent>[1] = {}): Promise<Tokens> =>
    drive.connect((url) => consent(url, given));
  /** Connects as the sandbox does: from the token response alone. */
  const enrolled = async (username = 'nora.cuts'): Promise<Tokens> => {
    const { tokenAnswer } = await drive.simulator.enrol(username);
    const tokens = connector.oauth.tokensFrom?.(tokenAnswer ?? {}, '');
    if (!tokens) throw new Error('Tokens were expected.');
    return tokens;
  };
  const work = async (text: string, given: WorkOptions = {}) => drive.workWith(await connect(), text, given);
  const set = (switches: Switches) => store.put(...SWITCHES, switches);
  const videos = async () => (await store.list<Video>('video', { limit: 100 })).map(({ value }) => value);
  const changeVideo = async (changes: Partial<Video>) => {
    const [video] = await videos();
    await store.change<Video>('video', video?.id ?? '', (known) => known && { ...known, ...changes });
  };
  /** Invalidates the latest grant. */
  const killGrant = async (subcode: number) => {
    const [grant] = await store.list<Grant>('grant', { limit: 1 });
    const dead = { subcode, message: 'Error validating access token.' };
    await store.change<Grant>('grant', grant?.key ?? '', (known) => known && { ...known, dead });
  };
  const setTasks = async (tasks: string[]) => {
    const [user] = await store.list<User>('user', { limit: 1 });
    await store.change<User>(
      'user',
      user?.key ?? '',
      (known) => known && { ...known, roles: known.roles.map((role) => ({ ...role, tasks })) },
    );
  };
  /** Invalidates all Page tokens; new ones are issued on request. */
  const replacePageTokens = async () => {
    for (const { key, value } of await store.list<string>('pageToken', { limit: 100 })) {
      await store.remove('token', value);
      await store.remove('pageToken', key);
    }
  };
  const helpers = { connect, enrolled, work, set, videos, changeVideo, killGrant, setTasks, replacePageTokens };
  return { ...drive, ...helpers };
}

export type Facebook = Awaited<ReturnType<typeof startFacebook>>;

/** Acts as the user's browser on the dialog: loads it and submits its form. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; pages?: string; granted?: readonly string[]; decision?: string } = {},
): Promise<URLSearchParams> {
  const { username = 'nora.cuts', pages = '', granted = connector.oauth.scopes, decision = 'allow' } = given;
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The dialog says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username, pages, decision });
  for (const scope of granted) body.append('granted', scope);
  return (await sendForm(url, body)).searchParams;
}

export const isToken = ({ path }: Call) => path.includes('/oauth/access_token');
export const isAccounts = ({ path }: Call) => path.includes('/me/accounts');
export const isReels = ({ method, path }: Call) => method === 'POST' && path.includes('/video_reels');
export const isList = ({ method, path }: Call) => method === 'GET' && path.includes('/video_reels');
export const isTransfer = ({ path }: Call) => path.startsWith('/video-upload/');
export const isThumbnail = ({ path }: Call) => path.includes('/thumbnails');
export const isStatus = ({ method, path }: Call) => method === 'GET' && /^\/v25\.0\/9\d{15}/.test(path);
export const isPage = ({ method, path }: Call) => method === 'GET' && /^\/v25\.0\/104\d{12}(\?|$)/.test(path);

/** For the exactly-once suite. */
export const once: OnceRequests<Switches> = {
  requests: [
    { name: 'page', when: isPage },
    { name: 'reels', when: isReels },
    {
      name: 'finish request',
      when: (call) => isReels(call) && call.nth === 2,
      setting: { finishTwice: true },
      single: isTransfer,
    },
    { name: 'transfer', when: isTransfer },
    { name: 'status', when: isStatus },
    { name: 'picture', when: isThumbnail },
  ],
  refusals: [
    'is refused for the rate with a time',
    'is refused for the token',
    'is carried out and refused for the token',
  ],
  send: isReels,
  creates: isTransfer,
  killed: { calls: 6, settings: [{ finishTwice: true }] },
  unseen: { finishTwice: true },
  doubts: 'Facebook was already asked to publish the post. Verifying.',
  list: {
    when: isList,
    matches: {
      found: ({ remoteId, url }) => ({ then: 'posted', published: { remoteId, url } }),
      olderMs: 60_000,
      duration: true,
      several: 'several_matches',
    },
  },
};
