import type { JsonObject, Work } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { botIdOf } from './api.ts';

/** How far a publish has come. */
export interface Progress {
  /** Of the file that was laid down: other bytes are another upload. */
  sha256: string;
  /** A file id is good for one bot only. */
  bot: string;
  channel: string;
  /** Where the video is laid down first; "" means that it goes to the channel at once. */
  storage: string;
  /** "" while nothing is laid down. */
  fileId: string;
  /** Of the picture that was laid down with it; "" while there is none. */
  coverId: string;
  /** Telegram has refused something that a picture belonged to: from then on none goes along. */
  coverless: boolean;
  /** Number of the send that the file was laid down for. */
  laidDownFor: number;
  /** Number of the send that was prepared last; 0 before the first. */
  preparedFor: number;
}

/** Where a publish begins: nothing is laid down, and where that would be is as it was when connecting. */
function freshProgress({ session, media }: Work): Progress {
  const storage = textAt(session.secret, 'storage') || textAt(session.extra, 'storage');
  return {
    sha256: media.sha256,
    bot: botIdOf(textAt(session.secret, 'token')),
    channel: session.remoteId,
    // What is laid down in the channel itself would be a post.
    storage: storage === session.remoteId ? '' : storage,
    fileId: '',
    coverId: '',
    coverless: false,
    laidDownFor: 0,
    preparedFor: 0,
  };
}

/** Reads a checkpoint that we wrote; one for other bytes or another bot counts as none. */
export function progressOf(work: Work, checkpoint: JsonObject | null): Progress {
  const fresh = freshProgress(work);
  if (textAt(checkpoint, 'sha256') !== fresh.sha256 || textAt(checkpoint, 'bot') !== fresh.bot) return fresh;
  return {
    ...fresh,
    channel: textAt(checkpoint, 'channel') || fresh.channel,
    storage: textAt(checkpoint, 'storage'),
    fileId: textAt(checkpoint, 'fileId'),
    coverId: textAt(checkpoint, 'coverId'),
    coverless: at(checkpoint, 'coverless') === true,
    laidDownFor: numberAt(checkpoint, 'laidDownFor') ?? 0,
    preparedFor: numberAt(checkpoint, 'preparedFor') ?? 0,
  };
}
