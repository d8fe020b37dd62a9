/** Pins: create, list, show, and delete. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault, responseFault } from '../../faults/requested.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { endGrant } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { ownedBy, publishVideo, update } from '../../store/records.ts';
import { asCaller, type Caller } from './caller.ts';
import { ownMedium, statusOf } from './media.ts';
import { type PinRequest, readPin } from './pin-schema.ts';
import { ownBoard } from './profile.ts';
import { type Account, type Board, type Medium, newId, type Pin, settingsOf } from './records.ts';
import { authenticationFailed, bodyOf, invalid, ok, paged, refusal, serverError, tooMany } from './responses.ts';

const READ = ['boards:read', 'pins:read'];
const WRITE = ['boards:read', 'boards:write', 'pins:read', 'pins:write'];
const SECRET_READ = ['boards:read_secret', 'pins:read_secret'];
const SECRET_WRITE = [...SECRET_READ, 'boards:write_secret', 'pins:write_secret'];
const KINDS = ['REGULAR', 'VIDEO', 'SHOPPING', 'CAROUSEL', 'MAX_VIDEO', 'SHOP_THE_PIN', 'COLLECTION', 'IDEA'];

export const createPin = asCaller(WRITE, async (options, request, caller) => {
  const { account } = caller;
  const asked = readPin(await bodyOf(request));
  const settings = await settingsOf(options);
  if (settings.tier === 'trial')
    throw new Refused(
      refusal(
        403,
        29,
        'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.',
      ),
    );
  if (!settings.consumerSupported) throw new Refused(refusal(403, 29, 'This consumer type is not supported'));
  const board = await ownBoard(options, caller, asked.boardId, SECRET_WRITE);
  const status = statusOf(options, await ownMedium(options, account, asked.mediaId));
  if (status !== 'succeeded') throw unusable(status);
  const trouble = responseFault(await injectFault(options, caller, asked));
  const pin: Pin = {
    ...asked,
    id: newId(options),
    accountId: account.id,
    boardId: board.id,
    createdAt: options.now(),
    announced: false,
  };
  await options.store.put('pin', pin.id, pin, account.id);
  await announce(options, pin, account);
  return { ...ok(await pinJson(options, pin, account), 201), trouble };
});

const unusable = (status: string) => new Refused(invalid(`The media is not usable: its status is ${status}.`));

function injectFault(options: SimulatorOptions, { account, grantId }: Caller, { description, mediaId }: PinRequest) {
  const requester = { caption: description ?? '', publish: `${account.id} ${mediaId}` };
  return injectRequestedFault(options.store, requester, {
    async reconnect() {
      await endGrant(options.store, grantId);
      return authenticationFailed();
    },
    /** Reports the rejection of the video late, like a failure of processing. */
    async reject() {
      await update<Medium>(options.store, ['medium', mediaId], { failed: true });
      return unusable('failed').response;
    },
    rateLimited: tooMany(2),
    down: serverError(503),
  });
}

/** Publishes a pin. Listing pins also publishes one that a crash left unpublished. */
export async function announce(options: SimulatorOptions, pin: Pin, account: Account): Promise<void> {
  const medium = await options.store.get<Medium>('medium', pin.mediaId);
  if (pin.announced || !medium?.file) return;
  const entry = {
    id: pin.id,
    username: account.username,
    text: pin.description ?? '',
    url: pinUrl(options, pin.id),
    publishedAt: pin.createdAt,
    blobs: [medium.file.blob],
    mime: 'video/mp4',
  };
  await publishVideo(options, entry, pin.id);
  await update<Pin>(options.store, ['pin', pin.id], { announced: true });
}

export function pinUrl({ baseUrl }: SimulatorOptions, id: string): string {
  return `${baseUrl}/pin/${id}/`;
}

async function ownPin({ store }: SimulatorOptions, account: Account, id = ''): Promise<Pin> {
  const pin = await store.get<Pin>('pin', id);
  if (pin?.accountId === account.id) return pin;
  throw new Refused(refusal(404, 50, 'Pin not found'));
}

/** Pins of secret boards need scopes of their own; those of protected boards, a parameter. */
export const listPins = asCaller(READ, async (options, request, { account, scopes }) => {
  const boards = await ownedBy<Board>(options, 'board', account.id);
  const hidden = boards.filter(({ privacy }) =>
    privacy === 'SECRET'
      ? !SECRET_READ.every((scope) => scopes.includes(scope))
      : privacy === 'PROTECTED' && request.query.get('include_protected_pins') !== 'true',
  );
  return list(options, request, account, ({ boardId }) => !hidden.some(({ id }) => id === boardId));
});

export const listBoardPins = asCaller(READ, async (options, request, caller) => {
  const board = await ownBoard(options, caller, request.params.id, SECRET_READ);
  return list(options, request, caller.account, ({ boardId }) => boardId === board.id);
});

export const showPin = asCaller(READ, async (options, request, { account }) =>
  ok(await pinJson(options, await ownPin(options, account, request.params.id), account)),
);

export const deletePin = asCaller(WRITE, async (options, request, { account }) => {
  const pin = await ownPin(options, account, request.params.id);
  await options.store.unpublish(pin.id);
  await options.store.remove('pin', pin.id);
  return { status: 204 };
});

async function list(
  options: SimulatorOptions,
  request: SimulatorRequest,
  account: Account,
  isAsked: (pin: Pin) => boolean,
): Promise<SimulatorResponse> {
  const kinds = request.query.getAll('creative_types').flatMap((each) => each.split(','));
  if (!kinds.every((kind) => KINDS.includes(kind))) throw new Refused(invalid(`'${kinds}' is not a creative type.`));
  const { listLagMs, oldestFirst } = await settingsOf(options);
  const all = await ownedBy<Pin>(options, 'pin', account.id);
  for (const pin of all) await announce(options, pin, account);
  const withSaves = request.query.get('pin_filter') !== 'exclude_repins';
  const shown = all
    .filter((pin) => isAsked(pin) && (withSaves || pin.savedFrom === undefined))
    .filter(({ createdAt, listedFrom = createdAt + listLagMs }) => listedFrom <= options.now())
    .sort((one, other) => other.createdAt - one.createdAt)
    .filter(() => kinds.length === 0 || kinds.includes('VIDEO'));
  if (oldestFirst) shown.reverse();
  return paged(request, await Promise.all(shown.map((pin) => pinJson(options, pin, account))), (pin) => pin);
}

async function pinJson(options: SimulatorOptions, pin: Pin, { username }: Account): Promise<JsonObject> {
  const { zoneMs } = await settingsOf(options);
  return {
    id: pin.id,
    created_at: new Date(pin.createdAt + zoneMs).toISOString().slice(0, 19),
    board_id: pin.boardId,
    board_owner: { username },
    board_section_id: null,
    title: pin.title,
    description: pin.description,
    link: pin.link,
    alt_text: pin.altText,
    creative_type: 'VIDEO',
    dominant_color: null,
    is_owner: pin.savedFrom === undefined,
    is_standard: true,
    has_been_promoted: false,
    parent_pin_id: pin.savedFrom ?? null,
    media: {
      media_type: 'video',
      cover_image_url: null,
      duration: pin.film?.durationMs ?? null,
      height: pin.film?.height ?? null,
      width: pin.film?.width ?? null,
      video_url: null,
    },
  };
}

/** Returns the public page of a pin. A pin on a secret board has none. */
export const pinPage: Handler = async ({ store }, { params }) => {
  const pin = await store.get<Pin>('pin', params.id ?? '');
  const board = pin && (await store.get<Board>('board', pin.boardId));
  if (!pin || !board || board.privacy === 'SECRET') return page('This pin is not there', '', 404);
  return textPage(pin.title ?? 'Pin', pin.description ?? '');
};
