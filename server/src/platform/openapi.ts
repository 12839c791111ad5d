import { z } from 'zod';
import {
  contracts,
  endpoints,
  events,
  grantOf,
  companyRoles,
  apiErrors,
  apiErrorText,
  sentences,
  type DescribedEndpoint,
  type ApiErrorCode,
  type Shape,
} from '#contract';
import { knownKeys } from '#contract/unknown-fields';
import { sessionCookieName } from './secrets.ts';

type Json = Record<string, unknown>;
const schemaOf = (schema: Shape, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema as z.ZodType, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      const patterns = zodSchema._zod.bag['patterns'] as Set<RegExp> | undefined;
      // JSON Schema has no pattern flags: a case-insensitive pattern would reject valid input.
      if ([...(patterns ?? [])].some(({ flags }) => flags.includes('i'))) {
        delete jsonSchema.pattern;
        delete jsonSchema.allOf;
      }
    },
  }) as Json;
  return toOpenApiSchema(json) as Json;
};
/** Removes what OpenAPI tools fail on: Unicode classes in patterns, tuples without `items`. */
function toOpenApiSchema(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(toOpenApiSchema);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).filter(
    ([key, value]) => !(key === 'pattern' && typeof value === 'string' && value.includes('\\p{')),
  );
  const tuple =
    'prefixItems' in json ? { items: {}, maxItems: (json.prefixItems as unknown[]).length } : {};
  return {
    ...Object.fromEntries(entries.map(([key, value]) => [key, toOpenApiSchema(value)])),
    ...tuple,
  };
}
const problemResponse = (description: string, example?: unknown) => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Problem' },
      ...(example ? { example } : {}),
    },
  },
});

/** The OpenAPI 3.1 document, generated entirely from the contract. */
export function openapi(publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  const pathOf = documentedPaths();
  for (const e of endpoints)
    (paths[`/api${pathOf(e)}`] ??= {})[e.method.toLowerCase()] = operation(e, pathOf(e));
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
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl) },
        xsrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
      schemas: {
        Problem: {
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
        },
        ...Object.fromEntries(events.map((k) => [`event.${k.name}`, schemaOf(k.data, 'output')])),
      },
    },
  };
}

const pathParameters = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);

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
    const named = names.get(shapeOf(path))!;
    let at = 0;
    return path.replace(/\{\w+\}/g, () => `{${named[at++]}}`);
  };
}

function operation(e: DescribedEndpoint, path: string): Json {
  const documented = pathParameters(path);
  const params = pathParameters(e.path).map((name, i) => ({
    name: documented[i],
    in: 'path',
    required: true,
    schema: propertyOf(e.params, name),
    ...exampleOf(e.example.params, name),
  }));
  const query = [...(knownKeys(e.query as z.ZodType) ?? [])].map((name) => ({
    name,
    in: 'query',
    schema: propertyOf(e.query, name),
    ...exampleOf(e.example.query, name),
  }));
  const hasBody = knownKeys(e.body as z.ZodType) !== null;
  const roles =
    e.permission === 'public' || e.permission === 'session'
      ? null
      : companyRoles.filter((r) => grantOf(r, e.permission as never) !== 'none');
  const refused = groupByStatus(e.errors as ApiErrorCode[]);
  return {
    operationId: e.name,
    tags: [e.module],
    summary: e.summary,
    description:
      e.permission === 'public'
        ? 'Public. No sign-in required.'
        : roles
          ? `Permission \`${e.permission}\`: ${roles.join(', ')}, organization administrators.`
          : 'Any signed-in person.',
    ...(e.permission === 'public' ? { security: [] } : {}),
    parameters: [
      ...params,
      ...query,
      ...(e.method === 'POST'
        ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]
        : []),
    ],
    ...(hasBody
      ? {
          requestBody: {
            required: true,
            content: {
              [e.multipart ? 'multipart/form-data' : 'application/json']: {
                schema: schemaOf(e.body as z.ZodType, 'input'),
                ...(e.example.body ? { example: e.example.body } : {}),
              },
            },
          },
        }
      : {}),
    responses: {
      [e.status]:
        e.status === 204
          ? { description: 'Done' }
          : e.status === 302
            ? { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } }
            : e.binary
              ? {
                  description: 'The bytes',
                  content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
                }
              : success(e),
      ...(e.binary
        ? {
            206: {
              description: 'The part requested by `Range`',
              content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
            },
            416: { description: 'The requested range doesn’t exist' },
          }
        : {}),
      ...(e.permission === 'public' ? {} : { 401: problemResponse(sentences.unauthenticated) }),
      ...(roles ? { 403: problemResponse(apiErrors['role.forbidden'].text) } : {}),
      ...(e.company !== 'none' || /\{/.test(e.path)
        ? { 404: problemResponse(apiErrors.not_found.text) }
        : {}),
      422: problemResponse(sentences.invalidData),
      429: problemResponse(apiErrors['rate.limited'].text),
      ...refused,
    },
    'x-permission': e.permission,
  };
}
/** The body of a success. Lists get the envelope that dispatch adds to their rows. */
function success(e: DescribedEndpoint): Json {
  if (e.contentType && !e.contentType.startsWith('text/'))
    return {
      description: 'Success',
      content: { [e.contentType]: { schema: { type: 'string', format: 'binary' } } },
    };
  const answer = e.example.answer as { data?: unknown[]; meta?: Json } | undefined;
  const example =
    answer && e.paged
      ? {
          ...envelopeOf(e.path, answer.data?.length ?? 0),
          ...answer,
          meta: { ...envelopeOf(e.path, answer.data?.length ?? 0).meta, ...answer.meta },
        }
      : answer;
  return {
    description: 'Success',
    content: {
      [e.contentType ?? 'application/json']: {
        schema: schemaOf(e.answer as z.ZodType, 'output'),
        ...(example ? { example } : {}),
      },
    },
  };
}
function envelopeOf(path: string, rows: number) {
  const page = `/api${path}?page=1`;
  return {
    links: { first: page, last: page, prev: null, next: null },
    meta: {
      current_page: 1,
      from: 1,
      last_page: 1,
      path: `/api${path}`,
      per_page: 25,
      to: rows,
      total: rows,
    },
  };
}
function groupByStatus(codes: ApiErrorCode[]): Json {
  const by: Record<string, string[]> = {};
  for (const code of codes)
    (by[apiErrors[code].status] ??= []).push(`\`${code}\` ${apiErrorText(code)}`);
  return Object.fromEntries(
    Object.entries(by).map(([status, lines]) => [status, problemResponse(lines.join('\n\n'))]),
  );
}
function propertyOf(schema: unknown, name: string): Json {
  const json = schemaOf(schema as z.ZodType, 'input') as { properties?: Record<string, Json> };
  return json.properties?.[name] ?? { type: 'string' };
}
const exampleOf = (from: unknown, name: string) =>
  from && typeof from === 'object' && name in from ? { example: (from as Json)[name] } : {};
