/** Drives the Threads connector in tests. */
import { simulator } from '@reelay/sandbox/platforms/threads/index.ts';
import {
  type Container,
  type Grant,
  type Profile,
  SWITCHES,
  type Switches,
} from '@reelay/sandbox/platforms/threads/records.ts';
import type { Media, Tokens, Work } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/threads/index.ts';
import { startMediaServer } from '../harness/links.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';
import { filmOf } from './films.ts';

export const REDIRECT = 'https://reelay.example/oauth/threads/callback';

export async function startThreads(overrides: SimulatorOverrides = {}) {
  const links = await startMediaServer();
  const drive = await startDrive(connector, simulator, {
    redirectUri: REDIRECT,
    context: { app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    simulator: overrides,
  });
  const { store } = drive;
  const connect = (given: Parameters<typeof consent>[1] = {}): Promise<Tokens> =>
    drive.connect((url) => consent(url, given));
  /** The same media, served at its own URL. */
  const linked = (media: Media): Media => ({ ...media, link: () => links.linkTo(media) });
  const work = async (text: string, given: WorkOptions = {}) =>
    drive.workWith(await connect(), text, { ...given, media: given.media ?? linked(filmOf(200_000)) });
  const set = (switches: Switches) => store.put(...SWITCHES, switches);
  const containers = async () => (await store.list<Container>('container', { limit: 100 })).map(({ value }) => value);
  const changeContainer = async (changes: Partial<Container>) => {
    const [newest] = await containers();
    await store.change<Container>('container', newest?.id ?? '', (known) => known && { ...known, ...changes });
  };
  const changeProfile = async (changes: Partial<Profile>) => {
    const { remoteId } = await drive.simulator.enrol('nora.cuts');
    await store.change<Profile>('profile', remoteId, (known) => known && { ...known, ...changes });
  };
  const killGrants = async (dead: number) => {
    for (const { key } of await store.list('grant', { limit: 100 }))
      await store.change<Grant>('grant', key, (grant) => grant && { ...grant, dead });
  };
  /** Publishes the first, lost container late. @returns the post's id */
  const lateSend = async ({ session }: Work) => {
    const first = (await containers()).at(-1);
    const token = String(session.secret.accessToken);
    const key = first?.id ?? '';
    await store.change<Container>('container', key, (known) => known && { ...known, lost: undefined });
    const body = new URLSearchParams({ creation_id: key, access_token: token });
    const response = await fetch(`${drive.url}/v1.0/me/threads_publish`, { method: 'POST', body });
    const { id } = (await response.json()) as { id: string };
    return { token, id };
  };
  const close = async () => {
    await drive.close();
    await links.close();
  };
  const helpers = {
    lateSend,
    connect,
    linked,
    work,
    set,
    containers,
    changeContainer,
    changeProfile,
    killGrants,
    close,
  };
  return { ...drive, links, ...helpers };
}

export type Threads = Awaited<ReturnType<typeof startThreads>>;

/** Acts as the user's browser on the consent page: loads it and submits its form. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; granted?: readonly string[]; decision?: string } = {},
): Promise<URLSearchParams> {
  const { username = 'nora.cuts', granted = connector.oauth.scopes, decision = 'allow' } = given;
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username, decision });
  for (const scope of granted) body.append('granted', scope);
  return (await sendForm(url, body)).searchParams;
}

export const isLimit = ({ path }: Call) => path.includes('/threads_publishing_limit');
export const isCreate = ({ method, path }: Call) => method === 'POST' && path.endsWith('/threads');
export const isStatus = ({ path }: Call) => /^\/v1\.0\/17\d{15}/.test(path);
export const isPublish = ({ path }: Call) => path.endsWith('/threads_publish');
export const isMedia = ({ path }: Call) => /^\/v1\.0\/18\d{15}/.test(path);
export const isList = ({ method, path }: Call) => method === 'GET' && /\/threads(\?|$)/.test(path);
export const isMe = ({ path }: Call) => /\/v1\.0\/me(\?|$)/.test(path);
export const isRenewal = ({ path }: Call) => path.startsWith('/refresh_access_token');

const LAGGING: Switches = { publishTwice: true, statusLagMs: 600_000 };

/** For the exactly-once suite. */
export const once: OnceRequests<Switches> = {
  requests: [
    { name: 'limit', when: isLimit, setting: LAGGING },
    { name: 'container', when: isCreate, setting: LAGGING },
    { name: 'status', when: isStatus, setting: LAGGING },
    { name: 'publishing', when: isPublish, setting: LAGGING },
    { name: 'media', when: isMedia, setting: LAGGING },
  ],
  refusals: ['is refused for the rate with a time', 'is refused for the token'],
  send: isPublish,
  creates: isCreate,
  killed: { calls: 6, settings: [LAGGING] },
  unseen: { publishTwice: true },
  doubts: 'Threads was already asked to publish the post. Verifying.',
  list: {
    when: isList,
    matches: { found: ({ remoteId, url }) => ({ then: 'posted', published: { remoteId, url } }), olderMs: 60_000 },
  },
};
