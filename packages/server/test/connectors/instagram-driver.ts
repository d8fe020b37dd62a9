/** Drives the Instagram connector in tests. */
import { simulator } from '@reelay/sandbox/platforms/instagram/index.ts';
import {
  type Account,
  type Container,
  type Grant,
  type Login,
  SCOPES,
  type Settings,
} from '@reelay/sandbox/platforms/instagram/records.ts';
import type { Media, Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/instagram/index.ts';
import { startMediaServer } from '../harness/links.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive, type WorkOptions } from './drive.ts';
import { filmOf } from './films.ts';

export const CALLBACK = 'https://reelay.example/oauth/instagram/callback';
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };

export async function startInstagram({
  login = 'instagram',
  ...overrides
}: SimulatorOverrides & { login?: Login } = {}) {
  const links = await startMediaServer();
  const drive = await startDrive(connector, simulator, {
    redirectUri: CALLBACK,
    context: { app: APP, apps: { instagram: APP, facebook: APP } },
    simulator: overrides,
  });
  const { store } = drive;
  const connect = (
    username = 'nora.cuts',
    given: { login?: Login; granted?: readonly string[]; person?: string } = {},
  ): Promise<Tokens> => {
    const asked = given.login ?? login;
    return drive.connect((url) => consent(url, { username, granted: given.granted, person: given.person }), {
      login: asked,
    });
  };
  /** The same media, served at its own URL. */
  const linked = (media: Media): Media => ({ ...media, link: () => links.linkTo(media) });
  const work = async (text: string, given: WorkOptions & { tokens?: Tokens } = {}) => {
    const { tokens, media = filmOf(200_000), ...changes } = given;
    return drive.workWith(tokens ?? (await connect()), text, { ...changes, media: linked(media) });
  };
  const set = async (settings: Partial<Settings>) => {
    const before = await store.get<Partial<Settings>>('settings', 'app');
    await store.put('settings', 'app', { ...before, ...settings });
  };
  const changeAccount = async (changes: Partial<Account>, username = 'nora.cuts') => {
    const { remoteId } = await drive.simulator.enrol(username);
    await store.change<Account>('account', remoteId, (known) => known && { ...known, ...changes });
  };
  const containers = async () => (await store.list<Container>('container', { limit: 100 })).map(({ value }) => value);
  const changeContainer = async (changes: Partial<Container>) => {
    const [newest] = await containers();
    await store.change<Container>('container', newest?.id ?? '', (known) => known && { ...known, ...changes });
  };
  const killGrants = async (dead: Grant['dead']) => {
    for (const { key } of await store.list('grant', { limit: 100 }))
      await store.change<Grant>('grant', key, (grant) => grant && { ...grant, dead });
  };
  const close = async () => {
    await drive.close();
    await links.close();
  };
  return { ...drive, connect, work, set, changeAccount, containers, changeContainer, killGrants, close };
}

export type Instagram = Awaited<ReturnType<typeof startInstagram>>;

/** Acts as the user's browser on the consent page: loads it and submits its form. @returns the callback's query */
export async function consent(
  url: string,
  given: { username?: string; granted?: readonly string[]; decision?: string; person?: string } = {},
): Promise<URLSearchParams> {
  const { username = 'nora.cuts', granted = [...SCOPES.instagram, ...SCOPES.facebook], decision = 'allow' } = given;
  const page = await fetch(url);
  if (page.status !== 200) throw new Error(`The consent page says: ${await page.text()}`);
  await page.text();
  const body = new URLSearchParams({ username, decision, ...(given.person ? { person: given.person } : {}) });
  for (const scope of granted) body.append('granted', scope);
  return (await sendForm(url, body)).searchParams;
}

export const isLimit = ({ path }: Call) => path.includes('/content_publishing_limit');
export const isCreate = ({ method, path }: Call) => method === 'POST' && /\/media(\?|$)/.test(path);
export const isPublish = ({ method, path }: Call) => method === 'POST' && path.includes('/media_publish');
export const isList = ({ method, path }: Call) => method === 'GET' && /\/media(\?|$)/.test(path);
export const isUpload = ({ path }: Call) => path.startsWith('/rupload/');
/** Container polls, recognized by the format of container ids. */
export const isStatus = ({ method, path }: Call) => method === 'GET' && /\/v25\.0\/179\d{14}(\?|$)/.test(path);
export const isReel = ({ method, path }: Call) => method === 'GET' && /\/v25\.0\/189\d{14}(\?|$)/.test(path);

/** For the exactly-once suite. */
export const once: OnceRequests<{ login?: Login }> = {
  requests: [
    { name: 'count of the day', when: isLimit },
    { name: 'container', when: isCreate },
    { name: 'container for an upload', when: isCreate, setting: { login: 'facebook' } },
    { name: 'upload', when: isUpload, setting: { login: 'facebook' } },
    { name: 'status of the container', when: isStatus },
    { name: 'publishing', when: isPublish },
    { name: 'publishing of an upload', when: isPublish, setting: { login: 'facebook' } },
    { name: 'reel', when: isReel },
  ],
  refusals: [
    'is carried out and refused for the rate',
    'is refused for the token',
    'is carried out and refused for the token',
  ],
  send: isPublish,
  creates: isCreate,
  killed: { calls: 9, settings: [{ login: 'instagram' }, { login: 'facebook' }] },
  idByText: true,
  doubts: 'Instagram was already asked to publish the post. Verifying.',
  list: {
    when: isList,
    matches: {
      found: ({ remoteId }) => ({ then: 'confirming', checkpoint: { mediaId: remoteId } }),
      olderMs: 60_000,
    },
  },
};
