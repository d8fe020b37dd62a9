import http from 'node:http';
import { Readable } from 'node:stream';
import type { SimulatorOptions } from '../../src/contract.ts';

/** Fetches a URL on this machine, as a simulated platform would fetch it from the internet. */
export const fetchLocal: SimulatorOptions['fetch'] = (url, headers = {}) =>
  new Promise((resolve) => {
    const address = URL.canParse(url) ? new URL(url) : null;
    if (address?.protocol !== 'http:' || address.hostname !== '127.0.0.1') return resolve(null);
    const request = http.get(address, { headers }, (response) => {
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers as Record<string, string | undefined>,
        body: Readable.from(response, { objectMode: false }),
      });
    });
    request.once('error', () => resolve(null));
  });
