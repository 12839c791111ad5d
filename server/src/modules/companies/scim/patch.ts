import { z } from 'zod';
import {
  groupSchema,
  parseScim,
  ScimError,
  userSchema,
  type ScimGroupInput,
  type ScimOperation,
  type ScimUserInput,
} from './messages.ts';

/** Paths of users that we take, in lower case, as the object that a body would have. */
const userPaths: Readonly<Record<string, (value: unknown) => object>> = {
  active: (active) => ({ active }),
  username: (userName) => ({ userName }),
  externalid: (externalId) => ({ externalId }),
  displayname: (displayName) => ({ displayName }),
  name: (name) => ({ name }),
  'name.givenname': (givenName) => ({ name: { givenName } }),
  'name.familyname': (familyName) => ({ name: { familyName } }),
  'name.formatted': (formatted) => ({ name: { formatted } }),
  emails: (emails) => ({ emails }),
  'emails[type eq "work"].value': (value) => ({ emails: [{ value, type: 'work', primary: true }] }),
  'emails[primary eq true].value': (value) => ({ emails: [{ value, primary: true }] }),
};

/**
 * What a PATCH changes of a user: with paths, without one (Okta sends an object), and with an object
 * whose keys are paths (Entra ID). What we don't keep is left out. Throws what `parseScim` does.
 */
export function readUserPatch(operations: readonly ScimOperation[]): ScimUserInput {
  const changes = operations.flatMap(({ op, path, value }) => {
    if (op === 'remove') return [];
    if (path !== undefined) return [atPath(path, value)];
    if (typeof value !== 'object' || value === null)
      throw new ScimError(400, 'An operation without a path needs an object.', 'invalidSyntax');
    return Object.entries(value).map(([key, one]) => atPath(key, one));
  });
  return changes
    .map((change) => parseScim(userSchema, change))
    .reduce((all, { name, ...one }) => {
      const merged = { ...all.name, ...name };
      return { ...all, ...one, ...(Object.keys(merged).length > 0 && { name: merged }) };
    }, {} as ScimUserInput);
}

const atPath = (path: string, value: unknown): object =>
  userPaths[
    path
      .replace(/^urn:ietf:params:scim:schemas:core:2\.0:User:/i, '')
      .toLowerCase()
      .trim()
  ]?.(value) ?? {};

/** What a PATCH changes of a group. */
export interface GroupPatch {
  displayName?: string | undefined;
  externalId?: string | undefined;
  /** In order: each replaces, adds or removes members. */
  members: { op: 'add' | 'replace' | 'remove'; ids: string[] }[];
}

/** Reads a PATCH of a group; removing without naming members removes all. Throws as `parseScim`. */
export function readGroupPatch(operations: readonly ScimOperation[]): GroupPatch {
  const patch: GroupPatch = { members: [] };
  for (const { op, path, value } of operations) {
    const one = /^members\[value eq "([^"]{1,100})"\]$/i.exec(path ?? '');
    if (one?.[1]) patch.members.push({ op: 'remove', ids: [one[1]] });
    else if (/^members$/i.test(path ?? '')) {
      const ids = value === undefined || value === null ? [] : idsIn(value);
      patch.members.push(op === 'remove' && !ids.length ? { op: 'replace', ids } : { op, ids });
    } else if (op !== 'remove') {
      const said = path === undefined ? value : { [pathOfGroup(path)]: value };
      const { members, ...values } = parseScim(groupSchema, said) as ScimGroupInput;
      if (members) patch.members.push({ op, ids: members.map((m) => m.value) });
      Object.assign(patch, values);
    }
  }
  return patch;
}
const pathOfGroup = (path: string): string =>
  ({ displayname: 'displayName', externalid: 'externalId' })[path.toLowerCase()] ?? path;
const member = z.object({ value: z.string().max(100) });
const idsIn = (value: unknown): string[] =>
  parseScim(z.union([z.array(member).max(5000), member.transform((m) => [m])]), value).map(
    (m) => m.value,
  );

/** What a list is filtered by. Null: nothing. */
export interface ScimFilter {
  by: 'userName' | 'externalId' | 'id' | 'displayName' | 'email';
  value: string;
}
const filterForm =
  /^\s*(userName|externalId|id|displayName|emails(?:\[type eq "work"\])?(?:\.value)?)\s+eq\s+"((?:[^"\\]|\\["\\])*)"\s*$/i;
const names: Readonly<Record<string, ScimFilter['by']>> = {
  username: 'userName',
  externalid: 'externalId',
  id: 'id',
  displayname: 'displayName',
};

/** Reads a filter: one attribute that equals a text, which is what directories ask. Null: no filter. Throws 400 for others. */
export function readFilter(filter: string | undefined): ScimFilter | null {
  if (filter === undefined || filter === '') return null;
  const [, attribute, value] = filterForm.exec(filter) ?? [];
  if (attribute === undefined || value === undefined)
    throw new ScimError(
      400,
      'Only filters like userName eq "ann@example.com" are supported.',
      'invalidFilter',
    );
  return {
    by: names[attribute.toLowerCase()] ?? 'email',
    value: value.replace(/\\(["\\])/g, '$1'),
  };
}
