import { z } from 'zod';

const core = 'urn:ietf:params:scim:schemas:core:2.0';
const api = 'urn:ietf:params:scim:api:messages:2.0';
export const schemas = {
  user: `${core}:User`,
  group: `${core}:Group`,
  config: `${core}:ServiceProviderConfig`,
  type: `${core}:ResourceType`,
  schema: `${core}:Schema`,
  list: `${api}:ListResponse`,
  error: `${api}:Error`,
} as const;

type ScimType =
  | 'uniqueness'
  | 'invalidFilter'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'mutability';

/** A refusal as directories read it (RFC 7644, 3.12). */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly scimType?: ScimType,
  ) {
    super(detail);
  }

  body() {
    return {
      schemas: [schemas.error],
      status: String(this.status),
      ...(this.scimType && { scimType: this.scimType }),
      detail: this.detail,
    };
  }
}

/** Refuses with 404. @throws ScimError always */
export const scimNotFound = (): never => {
  throw new ScimError(404, 'There is no such resource.');
};

/** Entra ID sends booleans as text in PATCH: "True", "False". */
const flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i)
    .transform((text) => text.toLowerCase() === 'true'),
]);
const text = z.string().trim().max(500);
const nothing = z.null().transform(() => undefined);
/** Directories send null for what is empty. */
const maybe = <T extends z.ZodType>(type: T) => z.union([type, nothing]).optional();

/** What we take from a user; the rest that directories send is left out. */
export const userSchema = z.object({
  userName: maybe(text.min(1)),
  externalId: maybe(text),
  active: maybe(flag),
  displayName: maybe(text),
  name: maybe(
    z.object({ givenName: maybe(text), familyName: maybe(text), formatted: maybe(text) }),
  ),
  emails: maybe(
    z.array(z.object({ value: maybe(text), type: maybe(text), primary: maybe(flag) })).max(50),
  ),
});
export type ScimUserInput = z.output<typeof userSchema>;

const member = z.object({ value: z.string().max(100) });
export const groupSchema = z.object({
  displayName: maybe(text.min(1)),
  externalId: maybe(text),
  members: maybe(z.array(member).max(5000)),
});
export type ScimGroupInput = z.output<typeof groupSchema>;

const operation = z.object({
  // Entra ID writes "Replace".
  op: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: maybe(z.string().max(500)),
  value: z.unknown().optional(),
});
export const patchSchema = z.object({ Operations: z.array(operation).min(1).max(1000) });
export type ScimOperation = z.output<typeof operation>;

/** @throws ScimError 400, with where the body is wrong */
export function parseScim<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ScimError(
    400,
    `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not understood'}`,
    'invalidValue',
  );
}

/** The address a user signs in with: the primary or work email, or else the name. Undefined: none. */
export function addressOf({ emails, userName }: ScimUserInput): string | undefined {
  const all = (emails ?? []).filter(({ value }) => value);
  const best = all.find((e) => e.primary) ?? all.find((e) => e.type === 'work') ?? all[0];
  return best?.value ?? (userName?.includes('@') ? userName : undefined);
}
