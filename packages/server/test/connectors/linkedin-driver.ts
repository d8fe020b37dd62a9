/** Drives the LinkedIn connector against its simulator. */
import { simulator } from '@reelay/sandbox/platforms/linkedin/index.ts';
import type { Person, Role, Settings, Video } from '@reelay/sandbox/platforms/linkedin/records.ts';
import type { AccountFacts, Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/linkedin/index.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';

export const REDIRECT = 'https://reelay.example/oauth/linkedin/callback';
export const PART = 4_194_304;
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };

export type Login = 'member' | 'organization' | 'both';

export async function startLinkedIn(overrides: SimulatorOverrides = {}) {
  const drive = await startDrive(connector, simulator, {
    redirectUri: REDIRECT,
    context: { app: APP, apps: { linkedin: APP, linkedinpages: APP } },
    simulator: overrides,
  });
  const { store, context } = drive;
  const connect = (login: Login = 'member', username = 'nora') =>
    drive.connect((url) => consent(url, { username }), { login });
  const identify = (tokens: Tokens): Promise<readonly AccountFacts[]> => connector.identifyAll(context, tokens);
  /** Creates the work of a post as the member or as the member's page. */
  const workAs = async (login: 'member' | 'organization', text: string, given: WorkOptions = {}) =>
    drive.workWith(await connect(login), text, given);
  const set = (settings: Settings) => store.put('settings', 'linkedin', settings);
  const setRoles = async (roles: readonly Role[]) => {
    const { remoteId } = await drive.simulator.enrol('in/nora');
    const id = remoteId.split(':').at(-1) ?? '';
    await store.change<Person>('person', id, (known) => known && { ...known, roles: [...roles] });
  };
  const videos = async () => (await store.list<Video>('video', { limit: 100 })).map(({ value }) => value);
  return { ...drive, connect, identify, workAs, set, setRoles, videos };
}

export type LinkedIn = Awaited<ReturnType<typeof startLinkedIn>>;

/** Opens the consent page and submits its form, like the user's browser. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; decision?: string } = {},
): Promise<URLSearchParams> {
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const { username = 'nora', decision = 'allow' } = given;
  return (await sendForm(url, new URLSearchParams({ username, decision }))).searchParams;
}

const is =
  (method: string, path: string) =>
  (call: Call): boolean =>
    call.method === method && call.path.startsWith(path);
export const isToken = is('POST', '/oauth/v2/accessToken');
export const isPart = (call: Call) => is('PUT', '/dms-uploads/')(call) && !isCover(call);
export const isCover = ({ path }: Call) => /\/thumbnail(?:\?|$)/.test(path);
export const isStatus = is('GET', '/rest/videos/');
export const isPost = is('POST', '/rest/posts');
export const isList = is('GET', '/rest/posts');
/** Opening and finalizing an upload use the same path; the call number distinguishes them. */
export const isAction = is('POST', '/rest/videos');

/** Counts the connector's calls that match. */
export const count = (linkedin: LinkedIn, when: (call: Call) => boolean) => linkedin.requests.filter(when).length;

/** For the exactly-once suite. */
export const once: OnceRequests<{ bytes?: number }> = {
  requests: [
    { name: 'opening', when: (call) => isAction(call) && call.nth === 1 },
    { name: 'part', when: isPart },
    { name: 'cover', when: isCover },
    { name: 'finalizing', when: (call) => isAction(call) && call.nth === 2 },
    { name: 'status', when: isStatus },
    { name: 'post', when: isPost },
  ],
  refusals: ['is refused for the rate with a time', 'is refused for the token'],
  send: isPost,
  creates: isPart,
  killed: { calls: 7, settings: [{ bytes: PART + 1 }] },
  doubts: 'LinkedIn shows a post that may be this one.',
};
