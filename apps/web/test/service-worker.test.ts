/** The files of the service worker that a build copies unchanged. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../public/${name}`, import.meta.url), 'utf8');

test('the worker names the hash of its offline page', () => {
  const files = read('offline.html') + read('offline.js');
  const hash = createHash('sha256').update(files).digest('hex').slice(0, 8);
  expect(read('service-worker.js')).toContain(`\${OFFLINE_CACHES}${hash}\``);
});

test('the offline page refers only to files in its cache', () => {
  const addresses = [...read('offline.html').matchAll(/(?:src|href|url)\s*[=(]\s*["']?([^"')\s]+)/g)];
  expect(addresses.map(([, address]) => address)).toEqual(['/app/offline.js']);
});
