/** The Telegram connector's checkpoint. */
import type { JsonObject, Work } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { botIdOf } from './api.ts';

/** Progress of a publish. */
export interface Progress {
  /** Hash of the stored file. A different hash starts a new upload. */
  sha256: string;
  /** Id of the bot. A file id is valid for one bot only. */
  bot: string;
  channel: string;
  /** Id of the storage chat; "" if the video goes directly to the channel. */
  storage: string;
  /** "" until the video is in the storage chat. */
  fileId: string;
  /** File id of the cover stored with the video; "" if absent. */
  coverId: string;
  /** Telegram rejected a request with a cover. Later requests omit it. */
  coverless: boolean;
  /** Number of the send that the file was stored for. */
  laidDownFor: number;
  /** Number of the last prepared send; 0 before the first. */
  preparedFor: number;
}

/** Returns the initial state, with the storage chat that was set when connecting. */
function freshProgress({ session, media }: Work): Progress {
  const storage = textAt(session.secret, 'storage') || textAt(session.extra, 'storage');
  return {
    sha256: media.sha256,
    bot: botIdOf(textAt(session.secret, 'token')),
    channel: session.remoteId,
    // A video stored in the channel itself would be a post.
    storage: storage === session.remoteId ? '' : storage,
    fileId: '',
    coverId: '',
    coverless: false,
    laidDownFor: 0,
    preparedFor: 0,
  };
}

/** Parses a checkpoint that we wrote. One for another file or another bot is ignored. */
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
