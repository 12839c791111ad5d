import type { z } from 'zod';
import {
  apiErrors,
  apiErrorText,
  companyRoles,
  grantOf,
  sentences,
  type ApiErrorCode,
  type DescribedEndpoint,
} from '#contract';
import { knownKeys } from '#contract/unknown-fields';
import { schemaOf, type Json } from './openapi-schema.ts';

/** The names of a path's placeholders, in order. */
export const pathParameters = (path: string): string[] => path.match(/(?<=\{)\w+(?=\})/g) ?? [];

/** One endpoint as an OpenAPI operation. @param path the documented path */
export function operation(e: DescribedEndpoint, path: string): Json {
  const roles = rolesOf(e);
  return {
    operationId: e.name,
    tags: [e.module],
    summary: e.summary,
    description: permissionText(e, roles),
    ...(e.permission === 'public' ? { security: [] } : {}),
    parameters: parametersOf(e, path),
    ...requestBodyOf(e),
    responses: responsesOf(e, roles),
    'x-permission': e.permission,
  };
}

/** The roles that have the endpoint's permission; null: it needs none. */
function rolesOf({ permission }: DescribedEndpoint): string[] | null {
  if (permission === 'public' || permission === 'session') return null;
  return companyRoles.filter((role) => grantOf(role, permission) !== 'none');
}

function permissionText(e: DescribedEndpoint, roles: readonly string[] | null): string {
  if (e.permission === 'public') return 'Public. No sign-in required.';
  return roles
    ? `Permission \`${e.permission}\`: ${roles.join(', ')}, organization administrators.`
    : 'Any signed-in person.';
}

function parametersOf(e: DescribedEndpoint, path: string): Json[] {
  const documented = pathParameters(path);
  const inPath = pathParameters(e.path).map((name, i) => ({
    name: documented[i],
    in: 'path',
    required: true,
    schema: propertyOf(e.params, name),
    ...exampleOf(e.example.params, name),
  }));
  const inQuery = [...(knownKeys(e.query as z.ZodType) ?? [])].map((name) => ({
    name,
    in: 'query',
    schema: propertyOf(e.query, name),
    ...exampleOf(e.example.query, name),
  }));
  const idempotencyKey =
    e.method === 'POST'
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]
      : [];
  return [...inPath, ...inQuery, ...idempotencyKey];
}

function requestBodyOf(e: DescribedEndpoint): Json {
  if (knownKeys(e.body as z.ZodType) === null) return {};
  const content = {
    schema: schemaOf(e.body as z.ZodType, 'input'),
    ...(e.example.body ? { example: e.example.body } : {}),
  };
  return {
    requestBody: {
      required: true,
      content: { [e.multipart ? 'multipart/form-data' : 'application/json']: content },
    },
  };
}

function responsesOf(e: DescribedEndpoint, roles: readonly string[] | null): Json {
  const mayBeMissing = e.company !== 'none' || /\{/.test(e.path);
  return {
    [e.status]: successOf(e),
    ...(e.binary
      ? {
          206: { description: 'The part requested by `Range`', content: bytesContent() },
          416: { description: 'The requested range doesn’t exist' },
        }
      : {}),
    ...(e.permission === 'public' ? {} : { 401: problemResponse(sentences.unauthenticated) }),
    ...(roles ? { 403: problemResponse(apiErrors['role.forbidden'].text) } : {}),
    ...(mayBeMissing ? { 404: problemResponse(apiErrors.not_found.text) } : {}),
    422: problemResponse(sentences.invalidData),
    429: problemResponse(apiErrors['rate.limited'].text),
    ...groupByStatus([...new Set([...e.errors, ...confirmationErrors(e)])] as ApiErrorCode[]),
  };
}

/** What every endpoint answers that dispatch has confirmed. */
const confirmationErrors = ({ confirms }: DescribedEndpoint): ApiErrorCode[] =>
  confirms ? ['confirmation.required', 'confirmation.needs_session'] : [];

const bytesContent = () => ({ '*/*': { schema: { type: 'string', format: 'binary' } } });

function successOf(e: DescribedEndpoint): Json {
  if (e.status === 204) return { description: 'Done' };
  if (e.status === 302)
    return { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } };
  return e.binary ? { description: 'The bytes', content: bytesContent() } : success(e);
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

const problemResponse = (description: string, example?: unknown) => ({
  description,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Problem' },
      ...(example ? { example } : {}),
    },
  },
});
