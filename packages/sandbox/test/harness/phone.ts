import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PhonePost, PhoneVideo } from '../../src/contract.ts';
import type { RunningSimulator } from './simulator.ts';

export interface PhoneCall extends Partial<Omit<PhonePost, 'video'>> {
  /** Content of the file. */
  bytes?: Buffer;
  video?: Partial<Pick<PhoneVideo, 'durationMs' | 'width' | 'height' | 'mime'>>;
}

/** Posts from the phone of a simulator. Default: a public portrait video of 31 s. */
export async function postFromPhone(
  { simulator: { phone, platform }, blobs }: Pick<RunningSimulator, 'simulator' | 'blobs'>,
  username: string,
  { bytes = Buffer.from('filmed by hand'), video, text = 'hello', ...post }: PhoneCall = {},
): Promise<{ id: string; url: string }> {
  if (!phone) throw new Error(`The simulator of ${platform} has no phone.`);
  const blob = `phone-${randomUUID()}`;
  const stored = await blobs.put(blob, Readable.from([bytes], { objectMode: false }));
  const facts = { mime: 'video/mp4', durationMs: 31_000, width: 1080, height: 1920, ...video };
  return phone.post(username, { ...post, text, video: { blob, ...stored, ...facts } });
}

/** Content of the files that {@link phoneOf} posts. */
export const FILM = Buffer.from('a film from the phone');

/** The phone of an account. Default: a public portrait video of 12 s. */
export function phoneOf(running: Pick<RunningSimulator, 'simulator' | 'blobs'>, username: string) {
  const { phone } = running.simulator;
  return {
    post: (text: string, { durationMs = 12_000, ...call }: Omit<PhoneCall, 'text'> & { durationMs?: number } = {}) =>
      postFromPhone(running, username, { bytes: FILM, video: { durationMs }, ...call, text }),
    edit: async (id: string, text: string) => phone?.edit?.(username, id, text),
    remove: async (id: string) => phone?.remove(username, id),
  };
}
