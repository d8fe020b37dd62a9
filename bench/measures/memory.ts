/** Measures the service's memory while it receives videos of 500 MB, compared with its memory when idle. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, megabytes, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, openDatabase } from '../kit/guest.ts';
import { forgetPeak, mostDuring, pss, rss } from '../kit/processes.ts';
import { startService } from '../kit/service.ts';
import { cancelPost, uploadPost } from '../kit/upload.ts';
import { largeVideo } from './upload.ts';

/** Long enough for an idle service to collect garbage, in ms. */
const REST_MS = 10_000;

export async function memory({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const video = await largeVideo(folder, quick ? 150_000_000 : undefined);
      const service = await startService(folder);
      later(service.stop);
      const db = await openDatabase(folder);
      later(db.close);
      const guest = await addGuest(db, folder, 1);
      await pause(REST_MS);
      const rest = { rss: rss(service.pid).now, pss: pss(service.pid) };
      say(`at rest: RSS ${megabytes(rest.rss)}, PSS ${megabytes(rest.pss)}`);
      const during = async (uploads: number) => {
        forgetPeak(service.pid);
        const work = Promise.all(Array.from({ length: uploads }, () => uploadPost(service.url, video, guest)));
        const peak = { pss: await mostDuring(() => pss(service.pid), 10, work), rss: rss(service.pid).peak };
        for (const sent of await work) await cancelPost(service.url, sent, guest.key);
        await pause(REST_MS);
        return { rss: peak.rss - rest.rss, pss: peak.pss - rest.pss, after: pss(service.pid) - rest.pss };
      };
      const one = await during(1);
      const four = await during(4);
      const figure = (more: typeof one) =>
        `+${megabytes(more.rss)} RSS, +${megabytes(more.pss)} PSS; 10 s later +${megabytes(more.after)}`;
      return [
        { what: 'memory of the service at rest', figure: `${megabytes(rest.rss)} RSS, ${megabytes(rest.pss)} PSS` },
        { what: 'one upload: most memory over rest', figure: figure(one) },
        {
          what: 'four uploads at once: most memory over rest',
          figure: figure(four),
          goal: '≤ +60 MB',
          met: four.rss <= 60e6,
        },
      ];
    }),
  );
}
