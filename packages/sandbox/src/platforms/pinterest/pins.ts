/** Pins: create, list, show, and delete. */

import type { Route, SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import type { JsonObject } from '../../json.ts';
import { publishVideo, update } from '../../store/records.ts';
import { bodyOf, invalid, ok, paged, refusal } from './answers.ts';
import { asCaller, type Caller } from './caller.ts';
import { ownMedium, statusOf } from './media.ts';
import { pinUrl } from './pages.ts';
import { type PinRequest, readPin } from './pin-schema.ts';
import { ownBoard } from './profile.ts';
import { type Account, type Board, type Medium, newId, type Pin, settingsOf } from './records.ts';
import { simulateFault } from './trouble.ts';

const MOST = 10_000;
const READ = ['boards:read', 'pins:read'];
const WRITE = ['boards:read', 'boards:write', 'pins:read', 'pins:write'];
const KINDS = ['REGULAR', 'VIDEO', 'SHOPPING', 'CAROUSEL', 'MAX_VIDEO', 'SHOP_THE_PIN', 'COLLECTION', 'IDEA'];

export function pinRoutes(options: SimulatorOptions): Route[] {
  return [
    asCaller(options, ['POST', '/v5/pins'], WRITE, (request, caller) => create(options, request, caller)),
    asCaller(options, ['GET', '/v5/pins'], READ, (request, { account }) => list(options, request, account, null)),
    asCaller(options, ['GET', '/v5/boards/:id/pins'], READ, async (request, { account }) =>
      list(options, request, account, await ownBoard(options, account, request.params.id ?? '')),
    ),
    asCaller(options, ['GET', '/v5/pins/:id'], READ, async (request, { account }) =>
      ok(await pinJson(options, await ownPin(options, account, request.params.id ?? ''), account)),
    ),
    asCaller(options, ['DELETE', '/v5/pins/:id'], WRITE, async (request, { account }) => {
      const pin = await ownPin(options, account, request.params.id ?? '');
      await options.books.unpublish(pin.id);
      await options.books.remove('pin', pin.id);
      return { status: 204 };
    }),
  ];
}

async function create(
  options: SimulatorOptions,
  request: SimulatorRequest,
  caller: Caller,
): Promise<SimulatorResponse> {
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
  const board = await ownBoard(options, account, asked.boardId);
  const medium = await ownMedium(options, account, asked.mediaId);
  const status = statusOf(options, medium);
  if (status !== 'succeeded') throw new Refused(invalid(`The media is not usable: its status is ${status}.`));
  const { trouble } = await simulateFault(options, caller, asked);
  const pin = await keep(options, account, board, asked);
  return { ...ok(await pinJson(options, pin, account), 201), ...(trouble ? { trouble } : {}) };
}

async function keep(options: SimulatorOptions, account: Account, board: Board, asked: PinRequest): Promise<Pin> {
  const pin: Pin = {
    ...asked,
    id: newId(options.now()),
    accountId: account.id,
    boardId: board.id,
    createdAt: options.now(),
    announced: false,
  };
  await options.books.put('pin', pin.id, pin, account.id);
  await announce(options, pin, account);
  return pin;
}

/** Publishes a pin. Listing pins also publishes one that a crash left unpublished. */
async function announce(options: SimulatorOptions, pin: Pin, account: Account): Promise<void> {
  const medium = await options.books.get<Medium>('medium', pin.mediaId);
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
  await update<Pin>(options.books, ['pin', pin.id], { announced: true });
}

async function ownPin({ books }: SimulatorOptions, account: Account, id: string): Promise<Pin> {
  const pin = await books.get<Pin>('pin', id);
  if (pin?.accountId === account.id) return pin;
  throw new Refused(refusal(404, 50, 'Pin not found'));
}

async function list(
  options: SimulatorOptions,
  request: SimulatorRequest,
  account: Account,
  board: Board | null,
): Promise<SimulatorResponse> {
  const kinds = request.query.getAll('creative_types').flatMap((each) => each.split(','));
  if (!kinds.every((kind) => KINDS.includes(kind))) throw new Refused(invalid(`'${kinds}' is not a creative type.`));
  const { listLagMs, oldestFirst } = await settingsOf(options);
  const all = (await options.books.list<Pin>('pin', { owner: account.id, limit: MOST })).map(({ value }) => value);
  for (const pin of all) await announce(options, pin, account);
  const shown = all
    .filter((pin) => !board || pin.boardId === board.id)
    .filter((pin) => pin.createdAt + listLagMs <= options.now())
    .filter(() => kinds.length === 0 || kinds.includes('VIDEO'));
  if (oldestFirst) shown.reverse();
  const shapes = new Map(
    await Promise.all(shown.map(async (pin) => [pin.id, await pinJson(options, pin, account)] as const)),
  );
  return paged(request, shown, (pin) => shapes.get(pin.id) ?? {});
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
    is_owner: true,
    is_standard: true,
    has_been_promoted: false,
    parent_pin_id: null,
    media: { media_type: 'video', cover_image_url: null, duration: null, height: null, width: null, video_url: null },
  };
}
