/** Finds an account's video pins. Pinterest does not give their files to ordinary applications. */
import { MINUTE } from '../../lib/time.ts';
import type { Session, WatchedPost, WatchFlow } from '../contract.ts';
import { at, numberAt, positiveInteger, textAt } from '../kit/json.ts';
import { isOpen, readBoards, readPage } from './api.ts';
import { madeAt } from './verify.ts';

const PINS = '/pins?creative_types=VIDEO&pin_filter=exclude_repins';
/** Tolerance for clock differences, in ms. */
const SLACK_MS = 15 * MINUTE;

export const watch: WatchFlow = {
  /** A pin does not tell who sees it; its board does. */
  async list(session, { cursor }) {
    const { items, next } = await readPage(session, PINS, cursor);
    const pins = items.filter(isOwnVideo);
    const boards = pins.length > 0 ? await readBoards(session) : [];
    const isPublic = new Set(boards.filter(isOpen).map(({ id }) => id));
    return { posts: pins.map((pin) => postFrom(session, pin, isPublic.has(textAt(pin, 'board_id')))), next };
  },
};

/** Whether a pin is the account's own video, not a save of another pin. */
function isOwnVideo(pin: unknown): boolean {
  const isSave = at(pin, 'is_owner') === false || textAt(pin, 'parent_pin_id') !== '';
  const type = textAt(pin, 'creative_type') || 'VIDEO';
  return /^\d+$/.test(textAt(pin, 'id')) && !isSave && /VIDEO/.test(type);
}

function postFrom({ endpoints, now }: Session, pin: unknown, isPublic: boolean): WatchedPost {
  const remoteId = textAt(pin, 'id');
  const made = madeAt(pin);
  const [title, description] = [textAt(pin, 'title'), textAt(pin, 'description')];
  return {
    remoteId,
    // The time has no zone. One in the future shows that it is not UTC.
    publishedAt: made !== null && made <= now() + SLACK_MS ? made : null,
    text: description.startsWith(title) ? description : [title, description].filter(Boolean).join('\n\n'),
    url: `${endpoints.www}/pin/${remoteId}/`,
    durationMs: positiveInteger(numberAt(pin, 'media', 'duration')),
    width: positiveInteger(numberAt(pin, 'media', 'width')),
    height: positiveInteger(numberAt(pin, 'media', 'height')),
    isPublic,
    file: null,
  };
}
