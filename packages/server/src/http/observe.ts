import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { pathOf } from './refusing.ts';

/** One line and one measurement for each request. Never the query: it can carry what one consent is worth. */
export function observe(app: FastifyInstance, { log, metrics }: Context): void {
  const seconds = metrics.histogram(
    'http_request_seconds',
    'Time to the end of the answer.',
    [0.005, 0.02, 0.1, 0.5, 2, 10],
    // The first request that whoever reads metrics sends.
    [{ method: 'GET', route: '/metrics', status: '200' }],
  );
  // These lines hold nothing but what stands below, so nothing has to be looked for in them.
  const requests = log.child({}, { redact: [] });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    seconds.observe(reply.elapsedTime / 1000, { method: request.method, route, status: `${status}` });
    requests.info(
      {
        requestId: request.id,
        method: request.method,
        // Below a mount the path itself may be what opens something.
        path: route.endsWith('/*') ? route : pathOf(request),
        status,
        ms: Math.round(reply.elapsedTime),
        ...(request.caller ? { userId: request.caller.userId } : {}),
      },
      'request',
    );
  });
}
