/** Sends videos and forms from memory, so that the sender uses little CPU. */
import http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';

export interface Sent {
  /** From the first byte until the system accepted the last one, in ms. */
  sentMs: number;
  /** From the first byte to the end of the response, in ms. */
  answeredMs: number;
  body: string;
}

const BOUNDARY = 'reelay-bench-7f3a1c';
const PIECE = 1024 * 1024;

/** @throws Error with the response if it is not 200 */
export async function upload(
  url: string,
  video: Buffer,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Sent> {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n`;
  const head = Buffer.from(texts.join('') + file);
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const parts = [head, video, tail];
  return send(url, 'POST', parts, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers }, 200);
}

/**
 * Sends a body of these parts, large ones chunk by chunk.
 * @throws Error with the response if its status is not the expected one
 */
export async function send(
  url: string | URL,
  method: string,
  parts: readonly Buffer[],
  headers: Record<string, string>,
  expected: number,
): Promise<Sent> {
  const request = http.request(url, {
    method,
    agent: false,
    headers: { 'content-length': parts.reduce((sum, part) => sum + part.length, 0), ...headers },
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
    });
  });
  const began = performance.now();
  let sentMs = 0;
  request.once('finish', () => {
    sentMs = performance.now() - began;
  });
  for (const part of parts)
    for (let at = 0; at < part.length; at += PIECE) {
      const more = request.write(part.subarray(at, at + PIECE));
      if (!more) await Promise.race([new Promise((resolve) => request.once('drain', resolve)), answered]);
      else await turn();
    }
  request.end();
  const { status, body } = await answered;
  if (status !== expected) throw new Error(`What was sent was answered ${status}: ${body.slice(0, 500)}`);
  return { sentMs, answeredMs: performance.now() - began, body };
}

/** Sends `POST /post`, scheduled in an hour, so that nothing is published meanwhile. */
export function uploadPost(
  url: string,
  video: Buffer,
  guest: { key: string; accounts: readonly { id: string }[] },
): Promise<Sent> {
  const fields = {
    platforms: JSON.stringify(guest.accounts.slice(0, 1).map((account) => account.id)),
    scheduled: String(Date.now() + 3_600_000),
  };
  return upload(`${url}/api/v1/post`, video, fields, { authorization: `Bearer ${guest.key}` });
}

/** Cancels the post, which also deletes its file. */
export async function cancelPost(url: string, { body }: Sent, key: string): Promise<void> {
  const { historyId } = JSON.parse(body) as { historyId: string };
  const address = `${url}/api/v1/post/cancelSchedule?id=${historyId}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`The post could not be cancelled: ${await response.text()}`);
}
