import { z } from 'zod';
import { contracts, endpoints, events, grantOf, companyRoles, refusals, refusalText, sentences, type AnyEndpoint, type RefusalCode, type Shape } from '#contract';
import { sessionCookie } from './secrets.ts';
import { knownKeys } from './wire.ts';

type Json = Record<string, unknown>;
const schemaOf = (schema: Shape, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any', cycles: 'ref', reused: 'inline' }) as Json;
  return json;
};
const problemRef = (description: string, example?: unknown) => ({ description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' }, ...(example ? { example } : {}) } } });

/** OpenAPI 3.1 of everything the contract says. Nothing in it is written twice. */
export function openapi(publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const e of endpoints) (paths[`/api${e.path}`] ??= {})[e.method.toLowerCase()] = operation(e);
  return {
    openapi: '3.1.0',
    info: { title: 'Trunkline API', version: '1', description: 'Numbers, calls, texts, contacts. Everything the screens do, they do through these calls.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl }],
    tags: Object.keys(contracts).map((name) => ({ name })),
    security: [{ bearer: [] }, { session: [], xsrf: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie(publicUrl) },
        xsrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
      schemas: {
        Problem: {
          type: 'object', required: ['message', 'errors', 'status', 'code', 'request_id'],
          properties: {
            message: { type: 'string' }, errors: { anyOf: [{ type: 'array', items: { type: 'object', properties: { code: { type: 'string' }, title: { type: 'string' }, detail: { type: 'string' } } } }, { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }] },
            type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' }, code: { type: 'string' }, request_id: { type: 'string' },
          },
        },
        ...Object.fromEntries(events.map((k) => [`event.${k.name}`, schemaOf(k.data, 'output')])),
      },
    },
  };
}

function operation(e: AnyEndpoint): Json {
  const params = [...e.path.matchAll(/\{(\w+)\}/g)].map((m) => ({ name: m[1], in: 'path', required: true, schema: propertyOf(e.params, m[1]!), ...exampleOf(e.example.params, m[1]!) }));
  const query = [...(knownKeys(e.query as z.ZodType) ?? [])].map((name) => ({ name, in: 'query', schema: propertyOf(e.query, name), ...exampleOf(e.example.query, name) }));
  const hasBody = knownKeys(e.body as z.ZodType) !== null;
  const roles = e.permission === 'public' || e.permission === 'session' ? null : companyRoles.filter((r) => grantOf(r, e.permission as never) !== 'none');
  const refused = groupByStatus(e.refusals as RefusalCode[]);
  return {
    operationId: e.name, tags: [e.module], summary: e.summary,
    description: e.permission === 'public' ? 'Anyone may call this.' : roles ? `Permission \`${e.permission}\`: ${roles.join(', ')}, organization administrators.` : 'Any signed-in person.',
    ...(e.permission === 'public' ? { security: [] } : {}),
    parameters: [...params, ...query, ...(e.method === 'POST' ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }] : [])],
    ...(hasBody ? { requestBody: { required: true, content: { [e.multipart ? 'multipart/form-data' : 'application/json']: { schema: schemaOf(e.body as z.ZodType, 'input'), ...(e.example.body ? { example: e.example.body } : {}) } } } } : {}),
    responses: {
      [e.status]: e.status === 204 ? { description: 'Done' } : e.binary ? { description: 'The bytes', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } : { description: 'Success', content: { 'application/json': { schema: schemaOf(e.answer as z.ZodType, 'output'), ...(e.example.answer ? { example: e.example.answer } : {}) } } },
      ...(e.binary ? { 206: { description: 'The part asked for by `Range`', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }, 416: { description: 'There is no such part' } } : {}),
      ...(e.permission === 'public' ? {} : { 401: problemRef(sentences.unauthenticated) }),
      ...(roles ? { 403: problemRef(refusals['role.forbidden'].text) } : {}),
      ...(e.company !== 'none' || /\{/.test(e.path) ? { 404: problemRef(refusals.not_found.text) } : {}),
      422: problemRef(sentences.invalidData),
      429: problemRef(refusals['rate.limited'].text),
      ...refused,
    },
    'x-permission': e.permission,
  };
}
function groupByStatus(codes: RefusalCode[]): Json {
  const by: Record<string, string[]> = {};
  for (const code of codes) (by[refusals[code].status] ??= []).push(`\`${code}\` ${refusalText(code)}`);
  return Object.fromEntries(Object.entries(by).map(([status, lines]) => [status, problemRef(lines.join('\n\n'))]));
}
function propertyOf(schema: unknown, name: string): Json {
  const json = schemaOf(schema as z.ZodType, 'input') as { properties?: Record<string, Json> };
  return json.properties?.[name] ?? { type: 'string' };
}
const exampleOf = (from: unknown, name: string) => (from && typeof from === 'object' && name in from ? { example: (from as Json)[name] } : {});
