/** Routes of the simulated phone, which posts to the simulated platforms as their own apps would. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Blobs, Phone, PhonePost } from '../contract.ts';
import { type PartsOptions, type ReceivedParts, receiveParts } from '../http/multipart-form.ts';
import { BodyTooLarge, readBody } from '../http/request.ts';
import { readPhoneVideo } from '../media/phone-video.ts';
import { InvalidUsername } from '../oauth/usernames.ts';
import { PhoneRefused } from '../refused.ts';
import { SandboxFull } from '../store/quota.ts';
import { MAX_USERNAME } from './credentials.ts';
import { type FormValues, type PhonePage, type PhoneResult, phonePage } from './phone-page.ts';
import { isForeignSite, JSON_HEADERS, PAGE_HEADERS } from './responses.ts';

export interface PhoneSource {
  /** Names of the simulated platforms. */
  platforms: readonly string[];
  /** @param platform one of `platforms` @returns undefined if its simulator has no phone */
  find(platform: string): Promise<Phone | undefined>;
  /** Maximum size of a video in bytes. Default: 4 GiB. */
  maxVideoBytes?: number;
}

export interface PhoneDeps extends PhoneSource {
  blobs(platform: string): Blobs | null;
}

export interface PhoneRoute {
  method: 'GET' | 'POST';
  path: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const FORM = ['platform', 'username', 'caption'];
const MAX_VIDEO_BYTES = 4 * 1024 ** 3;
/** Maximum size of a form without its video, in bytes. */
const MAX_FORM_BYTES = 1024 ** 2;

/** A request that the phone rejects, with the reason. */
export class Rejected extends Error {
  readonly status: number;
  /** What the form contained, to show it again. */
  values: FormValues | undefined;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** Returns the routes below `/sandbox/phone`. The caller authorizes requests. */
export function phoneRoutes(deps: PhoneDeps): PhoneRoute[] {
  const action = (
    path: string,
    done: NonNullable<PhonePage['done']>,
    act: (deps: PhoneDeps, request: IncomingMessage) => Promise<PhoneResult>,
  ): PhoneRoute => ({
    method: 'POST',
    path,
    async handle(request, response) {
      if (isForeignSite(request)) return void response.writeHead(403).end();
      try {
        const result = await act(deps, request);
        send(request, response, 200, result, { platforms: deps.platforms, result, done });
      } catch (reason) {
        const { status, message: error, values } = rejectionOf(reason);
        send(request, response, status, { error }, { platforms: deps.platforms, error, values });
      }
    },
  });
  return [
    {
      method: 'GET',
      path: '/sandbox/phone',
      async handle(_request, response) {
        response.writeHead(200, PAGE_HEADERS).end(phonePage(deps));
      },
    },
    action('/sandbox/phone', 'published', postFromPhone),
    action('/sandbox/phone/edit', 'edited', edit),
    action('/sandbox/phone/remove', 'deleted', remove),
  ];
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: PhoneResult | { error: string },
  page: PhonePage,
): void {
  // A rejected video may still be arriving.
  request.resume();
  if (/\bapplication\/json\b/i.test(request.headers.accept ?? ''))
    response.writeHead(status, JSON_HEADERS).end(JSON.stringify(body));
  else response.writeHead(status, PAGE_HEADERS).end(phonePage(page));
}

/** The app of the platform would not do this. */
const isByPlatform = (reason: unknown) => reason instanceof InvalidUsername || reason instanceof PhoneRefused;

function rejectionOf(reason: unknown): Rejected {
  if (reason instanceof Rejected) return reason;
  if (isByPlatform(reason)) return new Rejected(reason.message);
  if (reason instanceof SandboxFull) return new Rejected(reason.message, 507);
  if (reason instanceof BodyTooLarge) return new Rejected('The form is too large.', 413);
  throw reason;
}

/**
 * Publishes the video of a form.
 * @throws Rejected; SandboxFull
 */
export async function postFromPhone(deps: PhoneDeps, request: IncomingMessage): Promise<PhoneResult> {
  const { maxVideoBytes = MAX_VIDEO_BYTES } = deps;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxVideoBytes + MAX_FORM_BYTES) throw tooLarge(maxVideoBytes);
  const { fields, file, blobs } = await receive(deps, request, maxVideoBytes);
  try {
    const { phone, platform, username } = await accountIn(deps, fields);
    if (file === 'early') throw new Rejected('Send the platform before the video.');
    if (!file || file.bytes === 0) throw new Rejected('Choose a video.');
    if (file.bytes > maxVideoBytes) throw tooLarge(maxVideoBytes);
    const video = blobs && (await readPhoneVideo(blobs, file));
    if (!video) throw new Rejected('The file is not an MP4 or QuickTime video.');
    const content = { ...contentIn(fields), video };
    return { ...(await phone.post(username, content)), platform, username };
  } catch (reason) {
    const error = isByPlatform(reason) ? new Rejected(reason.message) : reason;
    // After any other error, a record may already refer to the file.
    if (!(error instanceof Rejected)) throw error;
    if (typeof file === 'object') await blobs?.remove(file.blob);
    const [platform = '', username = '', caption = ''] = FORM.map((name) => fields.get(name));
    throw Object.assign(error, { values: { platform, username, caption } satisfies FormValues });
  }
}

/** Streams the video into a blob of the platform that the form names before it. */
async function receive(deps: PhoneDeps, request: IncomingMessage, maxBytes: number) {
  const state: { blobs: Blobs | null; seen: boolean } = { blobs: null, seen: false };
  const blobs = () => {
    if (!state.blobs) throw new Error('No file was accepted.');
    return state.blobs;
  };
  const parts = await receiveParts(
    { headers: request.headers, body: request },
    {
      blobs: { put: (key, source) => blobs().put(key, source), remove: (key) => blobs().remove(key) },
      maxBytes,
      keyOf(part, fields) {
        if (part !== 'video' || state.blobs) return null;
        state.seen = true;
        state.blobs = deps.blobs(valuesOf(fields).get('platform') ?? '');
        return state.blobs && `phone-${randomUUID()}`;
      },
    },
  );
  if (!parts) throw new Rejected('Send a complete form of the type multipart/form-data.');
  const early = state.seen && !state.blobs ? ('early' as const) : undefined;
  return { fields: valuesOf(parts.fields), file: parts.files[0] ?? early, blobs: state.blobs };
}

type Fields = ReadonlyMap<string, string>;

function valuesOf(fields: ReceivedParts['fields']): Fields {
  return new Map(fields.map(({ name, value }) => [name, value]));
}

/** @throws Rejected */
async function accountIn(
  deps: PhoneDeps,
  fields: Fields,
): Promise<{ phone: Phone; platform: string; username: string }> {
  // PostgreSQL cannot store it.
  if ([...fields.values()].some((value) => value.includes('\0'))) throw new Rejected('A field contains U+0000.');
  const platform = fields.get('platform') ?? '';
  if (!deps.platforms.includes(platform))
    throw new Rejected(`Unknown platform "${platform}". Choose one of: ${deps.platforms.join(', ')}.`);
  const phone = await deps.find(platform);
  if (!phone) throw new Rejected(`The simulator of ${platform} has no phone.`);
  const username = fields.get('username')?.trim() ?? '';
  if (username === '' || username.length > MAX_USERNAME)
    throw new Rejected(`Enter a user name of at most ${MAX_USERNAME} characters.`);
  return { phone, platform, username };
}

/** @throws Rejected */
function contentIn(fields: Fields): Omit<PhonePost, 'video'> {
  const audience = fields.get('audience') || 'public';
  if (audience !== 'public' && audience !== 'limited') throw new Rejected('audience must be "public" or "limited".');
  const publishedAt = fields.get('publishedAt');
  const time = Date.parse(publishedAt ?? '');
  if (publishedAt && Number.isNaN(time)) throw new Rejected('publishedAt must be a time in ISO 8601.');
  const hiddenMs = fields.get('hiddenMs');
  if (hiddenMs && !/^\d{1,12}$/.test(hiddenMs)) throw new Rejected('hiddenMs must be a number of milliseconds.');
  return {
    // Browsers send line breaks as CRLF.
    text: (fields.get('caption') ?? '').replaceAll('\r\n', '\n'),
    audience,
    ...(publishedAt && { publishedAt: time }),
    ...(hiddenMs && { hiddenMs: Number(hiddenMs) }),
  };
}

function tooLarge(maxBytes: number): Rejected {
  return new Rejected(`The video is larger than ${maxBytes} bytes.`, 413);
}

async function edit(deps: PhoneDeps, request: IncomingMessage): Promise<PhoneResult> {
  const { phone, platform, username, id, fields } = await postIn(deps, request);
  if (!phone.edit) throw new Rejected(`Posts on ${platform} cannot be edited.`);
  const { text } = contentIn(fields);
  await phone.edit(username, id, text).catch((error: Error) => {
    // What simulators throw for an unknown post.
    throw error.constructor === Error ? new Rejected(error.message, 404) : error;
  });
  return { platform, username, id };
}

async function remove(deps: PhoneDeps, request: IncomingMessage): Promise<PhoneResult> {
  const { phone, platform, username, id } = await postIn(deps, request);
  await phone.remove(username, id);
  return { platform, username, id };
}

/** @throws Rejected, BodyTooLarge */
async function postIn(deps: PhoneDeps, request: IncomingMessage) {
  const fields = await fieldsIn(request);
  const account = await accountIn(deps, fields);
  const id = fields.get('id') ?? '';
  if (id === '') throw new Rejected('Send the id of the post.');
  return { ...account, id, fields };
}

/** The fields of a form without files, in either encoding. @throws Rejected, BodyTooLarge */
async function fieldsIn(request: IncomingMessage): Promise<Fields> {
  const body = await readBody(request, MAX_FORM_BYTES);
  const { headers } = request;
  if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) {
    return new Map(new URLSearchParams(body.toString('utf8')));
  }
  const parts = await receiveParts({ headers, body: Readable.from([body]) }, WITHOUT_FILES);
  if (!parts) throw new Rejected('The form is malformed or incomplete.');
  return valuesOf(parts.fields);
}

/** Skips every file. */
const WITHOUT_FILES: PartsOptions = {
  blobs: {
    put: () => Promise.reject(new Error('Files are skipped.')),
    remove: () => Promise.resolve(),
  },
  maxBytes: 0,
  keyOf: () => null,
};
