import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VideoServer {
  /** Without a final slash. */
  url: string;
  /** Where the video is. */
  videoUrl: string;
  video: { bytes: number; sha256: string };
  close(): Promise<void>;
}

/** Serves one video on 127.0.0.1, for platforms that fetch videos; any other path is 404. */
export async function startVideoServer(bytes: Buffer): Promise<VideoServer> {
  const server = http.createServer((request, response) => {
    if (request.url !== '/video.mp4') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    videoUrl: `${url}/video.mp4`,
    video: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
