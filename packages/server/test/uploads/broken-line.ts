/** A proxy to a service that forwards a limited number of bytes and survives the end of the service. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BrokenLine {
  url: string;
  /**
   * From now on forwards to this URL, at most this many bytes from clients.
   * @throws Error unless the line is new, held or cut
   */
  leadTo(url: string, bytes?: number): void;
  /** From now on new connections wait until it forwards again; the others are kept. */
  hold(): void;
  /** Breaks all connections and holds new ones. */
  cut(): void;
  close(): Promise<void>;
}

export async function openLine(): Promise<BrokenLine> {
  const sockets = new Set<Socket>();
  let life = Promise.withResolvers<{ port: number; left: number }>();
  let isHeld = true;
  const server = createServer({ pauseOnConnect: true }, async (client) => {
    sockets.add(client);
    client.on('error', () => {});
    const state = await life.promise;
    const there = connect(state.port, '127.0.0.1');
    sockets.add(there);
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
    there.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const passing = chunk.subarray(0, state.left);
      state.left -= passing.length;
      const more = there.write(passing);
      if (state.left === 0 || !more) client.pause();
    });
    there.on('drain', () => state.left > 0 && client.resume());
    client.on('end', () => there.end());
    client.resume();
  });
  const hold = () => {
    isHeld = true;
    life = Promise.withResolvers();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(url, bytes = Number.POSITIVE_INFINITY) {
      if (!isHeld) throw new Error('The line forwards already.');
      isHeld = false;
      life.resolve({ port: Number(new URL(url).port), left: bytes });
    },
    hold,
    cut() {
      hold();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
