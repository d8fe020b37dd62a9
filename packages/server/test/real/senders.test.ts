/** Posts, sent by the HTTP clients that people use; see `test-support/clients/senders`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormToSend, Sender } from '../../../../test-support/clients/senders/contract.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { addReadyAccount, smallVideo, startPostService } from '../post/world.ts';
import { sha256 } from '../uploads/world.ts';

const FOLDER = fileURLToPath(new URL('../../../../test-support/clients/', import.meta.url));
/** Set by `npm run clients`, which installs them first. */
const asked = process.env.REELAY_CLIENTS === '1';
const title = asked ? 'posts sent by' : 'posts sent by HTTP clients: SKIPPED, because they run in npm run clients';
const senders: readonly Sender[] = asked ? (await import(`${FOLDER}senders/index.ts`)).findSenders() : [];

/** How often a form below 64 KiB is sent. Its packets differ from time to time. */
const REPEATS = 5;
const TEXT = 'Grüße 🎬';

let service: TestService;
let videos: Record<'small' | 'large', { path: string; sha256: string }[]>;
beforeAll(async () => {
  if (!asked) return;
  service = await startPostService();
  const hashed = async (path: string) => ({ path, sha256: sha256(await readFile(path)) });
  // Node reads at most 64 KiB of a body at once.
  videos = {
    small: await Promise.all([smallVideo(), makeVideo({ seconds: 3, fps: 1 })].map(async (path) => hashed(await path))),
    large: await Promise.all(
      [makeVideo(), makeVideo({ seconds: 9, width: 1080, height: 1920 })].map(async (path) => hashed(await path)),
    ),
  };
});
afterAll(() => service?.close());

/** Forms with the file in every place. */
function formsOf(path: string, user: TestUser, accountId: string) {
  const fields = [
    ['platforms', JSON.stringify([accountId])],
    ['description', TEXT],
    ['previewTime', '1'],
  ] as const;
  const each = [...videos.large, ...Array.from({ length: REPEATS }, () => videos.small).flat()];
  return each.flatMap((video) =>
    [0, 1, 2, 3].map((before) => ({
      sha256: video.sha256,
      form: {
        url: `${service.url.replace('localhost', '127.0.0.1')}/api/v1${path}`,
        headers: { authorization: `Bearer ${user.key}` },
        fields,
        file: { name: 'video', path: video.path },
        before,
      } satisfies FormToSend,
    })),
  );
}

describe.skipIf(!asked)(title, () => {
  if (!asked) test('run in npm run clients', () => expect.unreachable());
  for (const sender of senders) {
    const name = sender.missing ? `${sender.name}: SKIPPED, because ${sender.missing} is not installed` : sender.name;
    test.skipIf(sender.missing !== null).each(['/post', '/post/check'])(`${name} arrive at %s`, async (path) => {
      const user = await service.newUser();
      const { id } = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
      const forms = formsOf(path, user, id);
      const sent = await sender.send(forms.map(({ form }) => form));
      expect(sent).toEqual(forms.map(() => ({ status: 200, text: expect.any(String) })));
      if (path === '/post/check') return;
      const stored = await service.db.query(
        `select p.description, encode(m.sha256, 'hex') as sha256 from post p join media m on m.id = p.media_id
         where p.user_id = $1 order by p.id`,
        [user.userId],
      );
      expect(stored).toEqual(forms.map(({ sha256 }) => ({ description: TEXT, sha256 })));
    });
  }
});
