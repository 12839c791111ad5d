import type { FastifyInstance } from 'fastify';
import { openapi } from '../platform/openapi.ts';

/** The OpenAPI document, and its reference at `/docs`. */
export async function apiReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  let spec: unknown;
  app.get('/api/openapi.json', async () => (spec ??= openapi(publicUrl)));
  const { default: reference } = await import('@scalar/fastify-api-reference');
  await app.register(async (docs) => {
    // The reference is one page with inline styles and scripts, allowed at this address only.
    docs.addHook('onSend', async (_, reply) => {
      void reply.header('content-security-policy', contentSecurityPolicy);
    });
    await docs.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/openapi.json',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
      } as object,
    });
  });
}

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
].join('; ');
