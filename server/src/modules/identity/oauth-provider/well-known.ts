import type { FastifyInstance } from 'fastify';
import { identity } from '#contract';

/** Where our API describes itself as a protected resource (RFC 9728). */
const resourcePath = '/.well-known/oauth-protected-resource';

/** Addresses that programs look for at a site's root, besides those of the OpenID provider. */
export function wellKnownRoutes(app: FastifyInstance, publicUrl: string): void {
  const resource = {
    resource: `${publicUrl}/api`,
    resource_name: 'Trunkline API',
    authorization_servers: [publicUrl],
    scopes_supported: identity.scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/docs`,
  };
  // The path of the resource comes after the well-known name; some programs leave it out.
  for (const url of [resourcePath, `${resourcePath}/api`])
    app.get(url, (_request, reply) =>
      reply.header('access-control-allow-origin', '*').send(resource),
    );
  app.get('/.well-known/change-password', (_request, reply) =>
    reply.redirect('/settings/security'),
  );
}
