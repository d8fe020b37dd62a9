/** Measures how long `POST /post` takes for an ordinary video, and which parts take the time. */
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { receiveForm } from '../../packages/server/src/http/receive/form.ts';
import { createMedia } from '../../packages/server/src/media/media.ts';
import { findTools } from '../../packages/server/src/media/tools.ts';
import { createDiskStorage } from '../../packages/server/src/storage/disk.ts';
import { createHashing } from '../../packages/server/src/storage/incoming/hasher.ts';
import { type Finding, median, milliseconds, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, openDatabase } from '../kit/guest.ts';
import { startService } from '../kit/service.ts';
import { cancelPost, upload, uploadPost } from '../kit/upload.ts';
import { makeVideo } from '../kit/video.ts';

export async function accept({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const path = join(folder, 'video.mp4');
      await makeVideo(path, { seconds: 20, width: 1080, height: 1920, bitsPerSecond: 8_000_000 });
      const video = await readFile(path);
      const service = await startService(folder);
      later(service.stop);
      const db = await openDatabase(folder);
      later(db.close);
      const guest = await addGuest(db, folder, 1);
      const parts = await takeApart(folder, path, video, later);
      const times: number[] = [];
      const shares: Record<string, number[]> = {};
      for (let round = 0; round < (quick ? 5 : 15); round++) {
        const sent = await uploadPost(service.url, unseen(video, round), guest);
        await cancelPost(service.url, sent, guest.key);
        // Skip the first round, which loads modules and warms caches.
        if (round === 0) continue;
        times.push(sent.answeredMs);
        for (const [name, part] of Object.entries(parts)) shares[name] = [...(shares[name] ?? []), await part()];
      }
      const whole = median(times);
      const known = Object.entries(shares).map(([name, all]) => [name, median(all)] as const);
      const apart = new Set(['check', 'thumbnail']);
      const rest = known.reduce((left, [name, ms]) => (apart.has(name) ? left : left - ms), whole);
      say(`each: ${times.map(milliseconds).join(', ')}`);
      return [
        {
          what: `a video of ${Math.round(video.length / 1e6)} MB: first byte to answer`,
          figure: milliseconds(whole),
          goal: '≤ 300 ms',
          met: whole <= 300,
        },
        {
          what: '… of which, each measured by itself',
          figure: [...known, ['rest', rest] as const].map(([name, ms]) => `${name} ${milliseconds(ms)}`).join(', '),
        },
      ];
    }),
  );
}

/** Returns the same video with an empty box appended, so that the service does not recognize it. */
function unseen(video: Buffer, round: number): Buffer {
  const box = Buffer.from('\0\0\0\x0cfree\0\0\0\0', 'latin1');
  box.writeUInt32BE(round, 8);
  return Buffer.concat([video, box]);
}

/** Measures the same parts of the service one by one in this process. */
async function takeApart(
  folder: string,
  path: string,
  video: Buffer,
  later: (undo: () => Promise<unknown>) => void,
): Promise<Record<string, () => Promise<number>>> {
  const storage = await createDiskStorage(join(folder, 'parts'));
  const media = createMedia(await findTools()).of('user');
  const facts = await media.check(path);
  const picture = join(folder, 'picture.jpg');
  const hasher = createHashing();
  let received = '';
  const server = createServer((request, response) => {
    receiveForm(request, { folder: storage.scratch, allowed: [], hasher }).then(
      (form) => {
        received = form.video?.path ?? '';
        response.end('{}');
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(async () => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const timed = (work: () => Promise<unknown>) => async () => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  return {
    receive: async () => (await upload(url, video)).answeredMs,
    check: timed(() => media.check(path)),
    thumbnail: async () => {
      await rm(picture, { force: true });
      return timed(() => media.thumbnail(path, 0, picture, facts))();
    },
    'both at once': async () => {
      await rm(picture, { force: true });
      const wanted = { atSeconds: 0, outPath: picture };
      return timed(() => media.checkWithThumbnail(path, wanted, { accept: () => {} }))();
    },
    store: async () => {
      const ms = await timed(() => storage.adopt('video', received))();
      await storage.remove('video');
      return ms;
    },
  };
}
