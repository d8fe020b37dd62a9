import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { SimulatorOptions } from '../contract.ts';

/** Fetches a video over HTTP, as platforms do that are given a link to one. */
export const fetchVideo: SimulatorOptions['fetch'] = async (url, headers = {}) => {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') return null;
  // Compressed, the announced length would not be that of the body.
  const response = await fetch(address, { headers: { ...headers, 'accept-encoding': 'identity' } }).catch(() => null);
  if (!response) return null;
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body ? Readable.fromWeb(response.body as ReadableStream<Uint8Array>) : Readable.from([]),
  };
};
