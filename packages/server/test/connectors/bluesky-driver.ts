/** Drives the Bluesky connector against its simulator. */
import { generateKeyPairSync } from 'node:crypto';
import type { SimulatorModule } from '@reelay/sandbox/contract.ts';
import { createBlueskySimulator, simulator } from '@reelay/sandbox/platforms/bluesky/index.ts';
import { clientJwks, clientMetadata } from '../../src/connectors/bluesky/client.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { ConfirmResult, JsonObject, Media, StepResult, Tokens, Work } from '../../src/connectors/contract.ts';
import { type SendOutcome, send } from '../../src/publishing/send.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import type { OnceRequests } from '../suites/exactly-once.ts';
import { type Call, sendForm, startDrive } from './drive.ts';
import { stored } from './walk.ts';

export const PUBLIC_URL = 'https://reelay.example';
export const HANDLE = 'nora.test';

/** The service's signing key, as the accounts module creates it. */
const CLIENT_KEY = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: 'the-key',
  alg: 'ES256',
  use: 'sig',
} as JsonObject;

/** A simulator that can read our documents without a server. */
const documented: SimulatorModule = {
  ...simulator,
  create: (options) =>
    createBlueskySimulator(options, async (url) => {
      if (url === `${PUBLIC_URL}/oauth/client-metadata.json`) return clientMetadata(PUBLIC_URL);
      return url === `${PUBLIC_URL}/oauth/jwks.json` ? clientJwks(CLIENT_KEY) : null;
    }),
};

export async function startBluesky(overrides: SimulatorOverrides & { publicUrl?: string; video?: boolean } = {}) {
  const { publicUrl = 'http://localhost:3000', video = true, ...options } = overrides;
  const redirectUri = `${publicUrl}/oauth/bluesky/callback`;
  const drive = await startDrive(connector, documented, {
    redirectUri,
    context: { publicUrl, clientKey: async () => CLIENT_KEY, ...(video ? {} : { endpoints: { video: '' } }) },
    simulator: options,
  });
  const { context } = drive;
  const account = await drive.simulator.enrol(HANDLE);
  const login = () =>
    connector.credentials.open(context, { identifier: HANDLE, secret: account.credentials?.secret ?? '' });
  /** Opens the consent page and submits its form, like the owner's browser. */
  const consent = (url: string, fields: Record<string, string> = {}) => {
    const form = new URLSearchParams({ username: HANDLE, decision: 'allow', ...fields });
    for (const [name, value] of new URL(url).searchParams) form.set(name, value);
    return sendForm(url.split('?')[0] ?? '', form);
  };
  const authorize = (input: { identifier?: string; service?: string } = { identifier: HANDLE }) =>
    connector.oauth.authorize(context, { state: 'the state', redirectUri, ...input });
  const exchange = (back: URL, kept: JsonObject) =>
    connector.oauth.exchange(context, { query: back.searchParams, redirectUri, kept });
  const oauth = (): Promise<Tokens> =>
    drive.connect(async (url) => (await consent(url)).searchParams, { identifier: HANDLE });
  const work = async (text = 'Sunset run', given: { media?: Media; tokens?: Tokens } = {}): Promise<Work> => {
    const { tokens = await login(), ...rest } = given;
    return drive.workWith(tokens, text, rest);
  };
  const record = async (rkey: string) => {
    const uri = `at://${account.remoteId}/app.bsky.feed.post/${rkey}`;
    return (await drive.store.get<{ value: JsonObject }>('record', uri))?.value;
  };
  const remove = (rkey: string, token: unknown) =>
    fetch(`${drive.url}/xrpc/com.atproto.repo.deleteRecord`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ repo: account.remoteId, collection: 'app.bsky.feed.post', rkey }),
    });
  return {
    ...drive,
    account,
    did: account.remoteId,
    redirectUri,
    login,
    consent,
    authorize,
    exchange,
    oauth,
    work,
    record,
    remove,
  };
}

export type Bluesky = Awaited<ReturnType<typeof startBluesky>>;

/** Runs steps until the irreversible request is next or a step fails. Advances the clock by the requested delays. */
export async function prepare(
  { clock }: Pick<Bluesky, 'clock'>,
  work: Work,
  from: JsonObject | null = null,
): Promise<{ result: StepResult; notes: string[]; checkpoints: JsonObject[] }> {
  const notes: string[] = [];
  const checkpoints: JsonObject[] = [];
  let result = from ? await connector.step(work, from) : await connector.begin(work);
  for (let count = 0; result.then === 'continue' && count < 200; count++) {
    const checkpoint = stored(result.checkpoint);
    notes.push(result.note.text);
    checkpoints.push(checkpoint);
    clock.now += result.afterMs ?? 0;
    result = await connector.step(work, checkpoint);
  }
  return { result, notes, checkpoints };
}

/** Returns the checkpoint from which the irreversible request is built. */
export async function ready(bluesky: Pick<Bluesky, 'clock'>, work: Work, from: JsonObject | null = null) {
  const { result } = await prepare(bluesky, work, from);
  if (result.then !== 'commit') throw new Error(`No call was prepared: ${JSON.stringify(result)}`);
  return stored(result.checkpoint);
}

/** Sends the irreversible request as the publisher does. */
export async function commit(
  { http }: Pick<Bluesky, 'http'>,
  work: Work,
  checkpoint: JsonObject,
): Promise<SendOutcome> {
  const request = await connector.commit.request(work, checkpoint);
  return send(http, connector, work, checkpoint, request, () => true);
}

/** Runs a publish from start to posted. */
export async function publish(
  bluesky: Pick<Bluesky, 'clock' | 'http'>,
  work: Work,
): Promise<ConfirmResult & { then: 'posted' }> {
  const outcome = await commit(bluesky, work, await ready(bluesky, work));
  if (outcome.kind !== 'done' || outcome.result.then !== 'posted')
    throw new Error(`Not posted: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** Verifies a send of unknown outcome as the publisher does. */
export function look({ clock }: Pick<Bluesky, 'clock'>, work: Work, checkpoint: JsonObject | null, agoMs = 0) {
  const fingerprint = { text: work.post.text, durationMs: work.media.durationMs, committedAt: clock.now - agoMs };
  return connector.verify(work, checkpoint, fingerprint);
}

export const isPut = ({ path }: Call): boolean => path === '/xrpc/com.atproto.repo.putRecord';
export const isMethod =
  (name: string) =>
  ({ path }: Call): boolean =>
    path.split('?')[0]?.endsWith(`.${name}`) ?? false;

/** For the exactly-once suite. */
export const once: OnceRequests<object> = {
  requests: [
    { name: 'service token', when: isMethod('getServiceAuth') },
    { name: 'start of the upload', when: isMethod('startUpload') },
    { name: 'part', when: isMethod('uploadPart') },
    { name: 'finish of the upload', when: isMethod('finishUpload') },
    { name: 'job', when: isMethod('getJobStatus') },
    { name: 'revision', when: isMethod('getLatestCommit') },
    { name: 'record', when: isPut },
  ],
  refusals: ['is refused for the rate with a time', 'is refused for the token'],
  send: isPut,
  creates: isMethod('startUpload'),
  killed: { calls: 7 },
  refusesSecond: { settings: [{}] },
};
