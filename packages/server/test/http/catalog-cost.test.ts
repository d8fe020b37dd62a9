import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Bound, expectWithin } from '../harness/cost-bound.ts';
import { createClient, startService } from '../harness/service.ts';
import { countWork, explainStatements } from '../harness/work.ts';
import { addWorstUser, longText } from '../harness/worst-user.ts';
import { smallVideo } from '../post/world.ts';

/** A page of a back catalog, whose posts are compared with all others when they are read first. */
const CATALOG: Bound = [1_300, 1_000, 5_500, 700, 200, 1];
/** The most posts that a platform has on a page. */
const CATALOG_PAGE = 100;

test('the largest repostCatalog stays within its bounds', async () => {
  const service = await startService({ config: { role: 'api', leastFreeBytes: 0 } });
  // The first user is the operator, who has the phones.
  const user = await service.newSession();
  // Without validation of responses, which would be counted.
  const client = createClient(service.url, null, { cookie: user.cookie, 'x-reelay-csrf': '1' });
  const simulated = (await user.post('/accounts/connect-sandbox')).body.data;
  // Plans need the statistics of tables with rows.
  await addWorstUser(service.db, { userId: (await service.newUser()).userId });
  await explainStatements(service.db, service.client);
  const [from, to] = ['bluesky', 'x'].map((name) =>
    simulated.find(({ platform }: { platform: string }) => platform === name),
  );
  const video = new Uint8Array(await readFile(await smallVideo()));
  for (let n = 0; n < CATALOG_PAGE; n++) {
    const form = new FormData();
    const fields = { platform: 'bluesky', username: from.username, caption: `${n}${longText(500)}` };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('video', new Blob([video], { type: 'video/mp4' }), 'clip.mp4');
    const posted = await client.call('POST', '/operator/sandbox/phone', { body: form });
    expect([posted.status, posted.body.message]).toEqual([200, undefined]);
  }
  const rule = await user.post('/repost/add', { from: from.id, to: [to.id] });
  const { result, work } = await countWork(() => client.get(`/repost/${rule.body.id}/catalog`));
  expect([result.status, result.body.data?.length ?? result.body]).toEqual([200, CATALOG_PAGE]);
  expectWithin(CATALOG, work, result.bytes.length);
  await service.close();
});
