import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessRefusal } from '../../src/lib/folder-access.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-access-'));
});
afterAll(() => rm(folder, { recursive: true }));

const refusalAt = (path: string, code = 'EACCES') => accessRefusal(Object.assign(new Error(code), { code, path }));

test('a refused path names its owner and the command', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  await chmod(data, 0o500);
  const { uid } = await stat(data);
  const path = join(data, 'missing', 'secret-key.1');
  expect(refusalAt(path)).toBe(
    `This process (user id ${uid}) has no access to ${path}. ${data} belongs to the user id ${uid}. Give it the data folder, as root: chown -R ${uid} DATA_DIR. Or set DATA_DIR to another folder.`,
  );
});

test('a read-only file system is named', () => {
  expect(refusalAt('/mnt/a', 'EROFS')).toMatch(/^\/mnt\/a is on a read-only file system\. Set DATA_DIR/);
});

test('other errors are not explained', () => {
  expect(refusalAt('/mnt/a', 'ENOENT')).toBeNull();
  expect(accessRefusal(new Error('EACCES'))).toBeNull();
});
