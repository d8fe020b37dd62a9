import http from 'node:http';

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The raw body. */
  bytes: Buffer;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** Sends one request on a new connection without following redirects. Rejects if the connection is reset. */
export function sendRaw(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method, headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(parts);
        const response = new Headers();
        for (const [name, value] of Object.entries(incoming.headers))
          if (value !== undefined) response.set(name, String(value));
        const status = incoming.statusCode ?? 0;
        resolve({ status, headers: response, text: bytes.toString('utf8'), bytes });
      });
    });
    outgoing.end(body);
  });
}
