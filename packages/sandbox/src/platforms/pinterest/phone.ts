/** The Pinterest app of an account's owner. A pin for few is on the secret board. */
import { randomUUID } from 'node:crypto';
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { ownedBy, update } from '../../store/records.ts';
import { announce, pinUrl } from './pins.ts';
import { addBoard, type Board, enrolAccount, type Medium, newId, type Pin } from './records.ts';

export function phone(options: SimulatorOptions): Phone {
  const { store, now } = options;
  return {
    async post(username, { text, video, publishedAt = now(), hiddenMs, audience }) {
      const account = await enrolAccount(options, username);
      const privacy = audience === 'limited' ? 'SECRET' : 'PUBLIC';
      const boards = await ownedBy<Board>(options, 'board', account.id);
      const board =
        boards.find((each) => each.privacy === privacy) ??
        (await addBoard(options, account.id, `Board ${randomUUID()}`, privacy));
      const { blob, bytes, sha256, durationMs, width, height } = video;
      const medium: Medium = {
        id: newId(options),
        accountId: account.id,
        parameters: {},
        expiresAt: now(),
        file: { blob, bytes, sha256 },
        uploadedAt: now(),
        failed: false,
      };
      await store.put('medium', medium.id, medium, account.id);
      const pin: Pin = {
        id: newId(options, publishedAt),
        accountId: account.id,
        boardId: board.id,
        title: null,
        description: text === '' ? null : text,
        link: null,
        altText: null,
        mediaId: medium.id,
        cover: { seconds: 0 },
        film: { durationMs, width, height },
        createdAt: publishedAt,
        ...(hiddenMs === undefined ? {} : { listedFrom: now() + hiddenMs }),
        announced: false,
      };
      await store.put('pin', pin.id, pin, account.id);
      await announce(options, pin, account);
      return { id: pin.id, url: pinUrl(options, pin.id) };
    },
    async edit(_username, id, text) {
      const edited = await update<Pin>(store, ['pin', id], { description: text === '' ? null : text });
      if (!edited) throw new Error(`There is no pin ${id}.`);
    },
    async remove(_username, id) {
      await store.unpublish(id);
      await store.remove('pin', id);
    },
  };
}
