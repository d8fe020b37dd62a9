/** The phone of one account on a platform of the Graph API. */
import type { Phone } from '../../src/contract.ts';
import { type PhoneCall, postFromPhone } from './phone.ts';
import type { RunningSimulator } from './simulator.ts';

/** Bytes of a video that no player could play. */
export const FILM = Buffer.from('a film from the phone');

export function phoneOf(running: Pick<RunningSimulator, 'simulator' | 'blobs'>, username: string) {
  const edit: NonNullable<Phone['edit']> = async (...given) => running.simulator.phone?.edit?.(...given);
  return {
    /** Posts a video of 12 s. */
    post: (text: string, given: Omit<PhoneCall, 'text'> = {}) =>
      postFromPhone(running, username, { bytes: FILM, video: { durationMs: 12_000 }, ...given, text }),
    edit: (id: string, text: string) => edit(username, id, text),
    remove: async (id: string) => running.simulator.phone?.remove(username, id),
  };
}
