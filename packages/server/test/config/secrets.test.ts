import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/env.ts';
import { loadSecrets } from '../../src/config/secrets.ts';
import { withFolder } from '../harness/folder.ts';

const plain = await readEnvironment({});

test('concurrent starts share one key that only its owner reads', async () => {
  await withFolder(async (folder) => {
    const loaded = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(plain, folder)));
    expect(new Set(loaded.map((secrets) => secrets.fingerprint)).size).toBe(1);
    expect(await loadSecrets(plain, folder)).toEqual(loaded[0]);
    expect(await readdir(folder)).toEqual(['secret-key']);
    expect((await stat(join(folder, 'secret-key'))).mode & 0o777).toBe(0o600);
  });
});

test('a given key overrides the stored one; invalid is rejected', async () => {
  await withFolder(async (folder) => {
    const own = await loadSecrets(plain, folder);
    const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
    const given = await loadSecrets(await readEnvironment({ SECRET_KEY }), folder);
    expect(given.fingerprint).not.toBe(own.fingerprint);
    await writeFile(join(folder, 'key'), `${SECRET_KEY}\n`);
    const fromFile = await loadSecrets(await readEnvironment({ SECRET_KEY_FILE: join(folder, 'key') }), folder);
    expect(fromFile).toEqual(given);
    const short = await readEnvironment({ SECRET_KEY: 'short' });
    await expect(loadSecrets(short, folder)).rejects.toThrow('SECRET_KEY must be');
    await writeFile(join(folder, 'secret-key'), '');
    await expect(loadSecrets(plain, folder)).rejects.toThrow('secret-key must be 32 bytes');
  });
});
