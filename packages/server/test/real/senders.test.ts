/** Posts, sent by the HTTP clients that people use; see `test-support/clients/senders`. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormToSend, Sender } from '../../../../test-support/clients/senders/contract.ts';
import type { NginxForm } from '../../../../test-support/clients/senders/proxies.ts';
import { createClient } from '../../../sdk/src/node.ts';
import { limitingProxy } from '../../../sdk/test/harness.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { addReadyAccount, smallVideo, startPostService } from '../post/world.ts';
import { contentOf, MIB, sha256 } from '../uploads/world.ts';

const FOLDER = fileURLToPath(new URL('../../../../test-support/clients/', import.meta.url));
/** Set by `npm run clients`, which installs them first. */
const asked = process.env.REELAY_CLIENTS === '1';
const title = asked ? 'posts sent by' : 'posts sent by HTTP clients: SKIPPED, because they run in npm run clients';
const senders: readonly Sender[] = asked ? (await import(`${FOLDER}senders/index.ts`)).findSenders() : [];
const nginx: typeof import('../../../../test-support/clients/senders/proxies.ts') | null = asked
  ? await import(`${FOLDER}senders/proxies.ts`)
  : null;
const withoutNginx = nginx?.missingNginx ? `: SKIPPED, because ${nginx.missingNginx} is not installed` : '';

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

/** Runs a test with nginx before the service. */
async function withNginx(form: NginxForm, use: (url: string) => Promise<void>): Promise<void> {
  if (!nginx) return;
  const folder = await mkdtemp(join(tmpdir(), 'reelay-nginx-'));
  // The workers of root's nginx have another user.
  await chmod(folder, 0o755);
  const proxy = await nginx.startNginx(service.url.replace('localhost', '127.0.0.1'), folder, form);
  await use(proxy.url).finally(() => proxy.close());
  await rm(folder, { recursive: true });
}

/** Forms with the file in every place. */
function formsOf(
  path: string,
  user: TestUser,
  accountId: string,
  base = service.url.replace('localhost', '127.0.0.1'),
) {
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
        url: `${base}/api/v1${path}`,
        headers: { authorization: `Bearer ${user.key}` },
        fields,
        file: { name: 'video', path: video.path },
        before,
      } satisfies FormToSend,
    })),
  );
}

const storedOf = ({ userId }: TestUser) =>
  service.db.query(
    `select p.description, encode(m.sha256, 'hex') as sha256 from post p join media m on m.id = p.media_id
     where p.user_id = $1 order by p.id`,
    [userId],
  );

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
      expect(await storedOf(user)).toEqual(forms.map(({ sha256 }) => ({ description: TEXT, sha256 })));
    });

    test.skipIf(sender.missing !== null || withoutNginx !== '')(`${name} arrive through nginx${withoutNginx}`, () =>
      withNginx('documented', async (base) => {
        const user = await service.newUser();
        const { id } = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
        // Two videos, with the file first, last and between.
        const forms = formsOf('/post', user, id, base).slice(2, 6);
        expect(await sender.send(forms.map(({ form }) => form))).toEqual(
          forms.map(() => ({ status: 200, text: expect.any(String) })),
        );
        expect(await storedOf(user)).toEqual(forms.map(({ sha256 }) => ({ description: TEXT, sha256 })));
      }),
    );
  }
});

const BYTES = randomBytes(3 * MIB);

/** Uploads pieces below 1 MiB with tus-js-client. @returns the path of the upload */
const byTus = (base: string, key: string) =>
  new Promise<string>((resolve, reject) => {
    const upload = new Upload(BYTES, {
      endpoint: `${base}/api/v1/uploads`,
      headers: { authorization: `Bearer ${key}` },
      chunkSize: 900_000,
      retryDelays: [],
      onError: reject,
      onSuccess: () => resolve(new URL(upload.url ?? '').pathname),
    });
    upload.start();
  });

const bySdk = async (base: string, key: string) =>
  `/uploads/${await createClient({ baseUrl: base, apiKey: key }).uploads.send(new Blob([BYTES]))}`;

const pieces = asked ? 'uploads in pieces' : 'uploads in pieces: SKIPPED, because they run in npm run clients';

describe.skipIf(!asked)(pieces, () => {
  const arrives = async (base: string) => {
    const user = await service.newUser();
    for (const send of [byTus, bySdk]) {
      const path = await send(base, user.key);
      expect((await contentOf(service, user.userId, path)).sha256).toBe(sha256(BYTES));
    }
  };

  test('pass a proxy that cuts bodies off', async () => {
    const proxy = await limitingProxy(service.url.replace('localhost', '127.0.0.1'), MIB);
    await arrives(proxy.url).finally(() => proxy.close());
  });

  test.skipIf(withoutNginx !== '')(`pass the limit of nginx${withoutNginx}`, () => withNginx('default', arrives));
});
