import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
export function expectsContinue(request: IncomingMessage): boolean {
  return /^\s*100-continue\s*$/i.test(request.headers.expect ?? '');
}

/**
 * Defers `100 Continue` for large bodies (multipart, and chunks of resumable uploads) until the handler is ready to
 * read. So an invalid key or a too large `Content-Length` is rejected before the client sends anything. For other
 * bodies `100 Continue` is sent immediately, as Node does by default. Call it once, before the server listens:
 * `deferContinue(app.server)`.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!/^\s*(?:multipart\/|application\/offset\+octet-stream)/i.test(request.headers['content-type'] ?? ''))
      response.writeContinue();
    server.emit('request', request, response);
  });
}
