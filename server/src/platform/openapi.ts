import { contracts, endpoints, events, type DescribedEndpoint } from '#contract';
import { operation, pathParameters } from './openapi-operation.ts';
import { tokenOperation } from './openapi-token.ts';
import { schemaOf, type Json } from './openapi-schema.ts';
import { sessionCookieName } from './secrets.ts';

/** Body of every error (A1 and RFC 9457 members together). */
const problemSchema = {
  type: 'object',
  required: ['message', 'errors', 'status', 'code', 'request_id'],
  properties: {
    message: { type: 'string' },
    errors: {
      anyOf: [
        {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              code: { type: 'string' },
              title: { type: 'string' },
              detail: { type: 'string' },
            },
          },
        },
        {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      ],
    },
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
  },
};

/** The OpenAPI 3.1 document, generated entirely from the contract. */
export function openapi(publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  const pathOf = documentedPaths();
  for (const e of endpoints)
    (paths[`/api${pathOf(e)}`] ??= {})[e.method.toLowerCase()] = operation(e, pathOf(e));
  paths['/api/oauth/token'] = { post: tokenOperation };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trunkline API',
      version: '1',
      description: 'Numbers, calls, texts and contacts. Everything in the app uses this API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'This server’s operator', url: publicUrl },
    },
    servers: [{ url: publicUrl }],
    tags: Object.keys(contracts).map((name) => ({ name })),
    security: [{ bearer: [] }, { session: [], xsrf: [] }],
    paths,
    // Not endpoints: events on the private channels of the socket.
    'x-events': Object.fromEntries(
      events.map((k) => [
        k.name,
        { channel: k.channel, data: { $ref: `#/components/schemas/event.${k.name}` } },
      ]),
    ),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (tlk_…) of one company, or the access token of a sign-in',
        },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl) },
        xsrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
      schemas: {
        Problem: problemSchema,
        ...Object.fromEntries(events.map((k) => [`event.${k.name}`, schemaOf(k.data, 'output')])),
      },
    },
  };
}

/**
 * OpenAPI treats `/blocks/{companyId}` and `/blocks/{id}` as one path, whatever the methods. Where
 * endpoints differ only in a placeholder's name, the document calls it `id` in all of them.
 */
function documentedPaths(): (e: DescribedEndpoint) => string {
  const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '{}');
  const names = new Map<string, string[]>();
  for (const { path } of endpoints) {
    const known = names.get(shapeOf(path));
    const own = pathParameters(path);
    names.set(shapeOf(path), known ? own.map((name, i) => (name === known[i] ? name : 'id')) : own);
  }
  return ({ path }) => {
    const named = names.get(shapeOf(path))!; // Filled above from the same list.
    let at = 0;
    return path.replace(/\{\w+\}/g, () => `{${named[at++]}}`);
  };
}
