/** Small disks that fill quickly: a mount namespace with a small file system mounted over a folder. */
import { spawnSync } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { TestDatabase } from '../harness/database.ts';

const probe = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']);

/** Whether this machine supports them, and otherwise the reason. */
export const smallDisks = {
  possible: probe.status === 0,
  reason: probe.status === 0 ? '' : ' (not possible here: user name spaces with mounts are forbidden)',
} as const;

/** The command that replaces itself with a process whose folder is a disk of 64 MiB. */
export function insideSmallDisk(folder: string): string[] {
  return ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=64m tmpfs "$0" && shift 0 && exec "$@"', folder];
}

/** Connects to the database over TCP, because its socket may belong to a user unknown in the namespace. */
export async function overTcp({ connection }: TestDatabase): Promise<{ url: string; close(): void }> {
  const { host = '', port = 5432, user: name, password, database } = connection;
  const proxy = createServer((socket) => {
    const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const secret = password ? `:${encodeURIComponent(String(password))}` : '';
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url: `postgres://${name}${secret}@${address}/${database}`, close: () => void proxy.close() };
}
