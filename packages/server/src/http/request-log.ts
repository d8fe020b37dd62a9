import type { FastifyInstance } from 'fastify';
import { pathOf } from './error-handling.ts';
import type { HttpServices } from './http-services.ts';

/** Logs and measures each request. The query is never logged, because it may contain an authorization code. */
export function observe(app: FastifyInstance, { log, metrics }: HttpServices): void {
  const seconds = metrics.histogram(
    'http_request_seconds',
    'Time to the end of the response.',
    [0.005, 0.02, 0.1, 0.5, 2, 10],
    // The labels of the first request that a metrics reader sends.
    [{ method: 'GET', route: '/metrics', status: '200' }],
  );
  // These log lines contain only the fields below, so redaction is unnecessary.
  const requests = log.child({}, { redact: [] });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    seconds.observe(reply.elapsedTime / 1000, { method: request.method, route, status: `${status}` });
    requests.info(
      {
        requestId: request.id,
        method: request.method,
        // Below a mount, the path itself may be a secret.
        path: route.endsWith('/*') ? route : pathOf(request),
        status,
        ms: Math.round(reply.elapsedTime),
        ...(request.caller ? { userId: request.caller.userId } : {}),
      },
      'request',
    );
  });
}
