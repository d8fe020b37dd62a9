/** Serves videos on 127.0.0.1 for platforms that fetch them by URL. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Media } from '../../src/connectors/contract.ts';
import { answerRange } from '../../src/lib/ranges.ts';
import { type LinkResponse, type MediaLinkDeps, openLink } from '../../src/media/links/open.ts';

export interface LinkServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Serves the service's own media links. */
export function startLinks(deps: MediaLinkDeps): Promise<LinkServer> {
  return serve((path, headers, method) => openLink(deps, path, headers, method));
}

/**
 * Serves any media that a test provides.
 * @returns also `linkTo`, which creates a URL for a medium
 */
export async function startMediaServer(): Promise<LinkServer & { linkTo(media: Omit<Media, 'link'>): string }> {
  const known = new Map<string, Omit<Media, 'link'>>();
  const server = await serve(async (path, headers, method) => {
    const media = known.get(path);
    if (!media) return null;
    const { status, headers: answered, range } = answerRange(headers, media.bytes, `"${media.sha256}"`);
    const body = range && method === 'GET' ? await media.stream(range) : null;
    return { status, headers: { ...answered, 'content-type': media.mime }, body };
  });
  return {
    ...server,
    linkTo(media) {
      const path = `/${known.size + 1}.mp4`;
      known.set(path, media);
      return server.url + path;
    },
  };
}

async function serve(
  open: (path: string, headers: http.IncomingHttpHeaders, method: 'GET' | 'HEAD') => Promise<LinkResponse | null>,
): Promise<LinkServer> {
  const server = http.createServer(async (request, response) => {
    const found = await open(request.url ?? '', request.headers, request.method === 'HEAD' ? 'HEAD' : 'GET').catch(
      () => null,
    );
    if (!found) return void response.writeHead(404).end();
    response.writeHead(found.status, found.headers);
    if (!found.body) return void response.end();
    await pipeline(found.body, response).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
