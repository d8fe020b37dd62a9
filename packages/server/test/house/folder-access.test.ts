import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accessRefusal } from '../../src/lib/folder-access.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-access-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const runsAs = (uid: number) => vi.spyOn(process, 'getuid').mockReturnValue(uid);

const refusalAt = (path: string, code = 'EACCES') => accessRefusal(Object.assign(new Error(code), { code, path }));

test('a refused path names its owner and the command', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  await chmod(data, 0o500);
  const { uid } = await stat(data);
  const path = join(data, 'missing', 'secret-key.1');
  runsAs(1_234);
  expect(refusalAt(path)).toBe(
    `This process (user id 1234) has no access to ${path}. ${data} belongs to the user id ${uid}. Give it the data folder, as root: chown -R 1234 DATA_DIR. Or set DATA_DIR to another folder.`,
  );
});

test('root is asked to use another folder', () => {
  runsAs(0);
  expect(refusalAt('/')).toMatch(
    /^This process \(user id 0\) has no access to \/\. .* Set DATA_DIR to another folder\.$/,
  );
});

test('a read-only file system is named', () => {
  expect(refusalAt('/mnt/a', 'EROFS')).toMatch(/^\/mnt\/a is on a read-only file system\. Set DATA_DIR/);
});

test('other errors are not explained', () => {
  expect(refusalAt('/mnt/a', 'ENOENT')).toBeNull();
  expect(accessRefusal(new Error('EACCES'))).toBeNull();
});
