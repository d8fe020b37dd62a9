/** The baseline for the service's responses: the same SQL on bare routes, without authentication. */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { listPlatforms } from '../../packages/server/src/accounts/platform-list-store.ts';
import { createDatabase } from '../../packages/server/src/db/database.ts';
import { readPage } from '../../packages/server/src/posts/history-store.ts';

export interface BareReady {
  url: string;
}

const { socket, userIds } = JSON.parse(process.argv[2] ?? '{}') as {
  socket: { host: string; user: string; database: string };
  /** The users of the routes `/0`, `/1`, … */
  userIds: string[];
};
const PAGE = 10;
const db = createDatabase({ connection: socket, size: 10 });
const app = Fastify();
for (const [index, userId] of userIds.entries()) {
  app.get<{ Querystring: { page?: string } }>(`/${index}/history`, async ({ query }) => {
    const { entries, total } = await readPage(db, userId, (Number(query.page ?? 1) - 1) * PAGE, PAGE);
    return { data: entries, total };
  });
  app.get(`/${index}/platforms`, async () => ({ data: await listPlatforms(db, userId) }));
}
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` } satisfies BareReady);
