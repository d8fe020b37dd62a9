import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Whether the client wants `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
export function expectsContinue(request: IncomingMessage): boolean {
  return /^\s*100-continue\s*$/i.test(request.headers.expect ?? '');
}

/**
 * Makes the server hold back `100 Continue` for large bodies (multipart, and pieces of uploads) until whoever reads them is
 * ready, so that a refused key, or a `Content-Length` over the limit, is answered before the client sends anything. Other
 * bodies are asked for at once, as Node does by itself. Call it once, before the server listens:
 * `deferContinue(app.server)`.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!/^\s*(?:multipart\/|application\/offset\+octet-stream)/i.test(request.headers['content-type'] ?? ''))
      response.writeContinue();
    server.emit('request', request, response);
  });
}
