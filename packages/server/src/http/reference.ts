/** The browsable API reference at /docs. Loaded on first use, because few visit it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Fastify from 'fastify';
import type { OpenApiDocument } from './openapi-types.ts';
import type { Mount } from './page.ts';

/** @param document returns the document of this service on demand */
export function createReference(document: () => OpenApiDocument): Mount {
  let loading: Promise<(request: IncomingMessage, response: ServerResponse) => void> | null = null;
  return {
    prefix: '/docs',
    handle(_context, request, response) {
      loading ??= load(document());
      loading.then(
        (serve) => serve(request, response),
        () => response.destroy(),
      );
    },
  };
}

async function load(document: OpenApiDocument) {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const app = Fastify({ logger: false, serverFactory: () => createServer() });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
  // The library has its own type for OpenAPI documents; ours is compatible.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // The library's own policy allows styles and fonts from anywhere, and images from a third-party host.
    transformStaticCSP: () =>
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    theme: { title: 'Reelay API' },
    uiConfig: { persistAuthorization: false, tryItOutEnabled: false, validatorUrl: null },
  });
  await app.ready();
  return (request: IncomingMessage, response: ServerResponse) => app.routing(request, response);
}
