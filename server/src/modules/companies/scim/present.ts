import { schemas } from './messages.ts';
import type { ScimUserRow } from './store.ts';
import type { ScimGroupRow } from './store-groups.ts';

const meta = (
  base: string,
  resourceType: 'User' | 'Group',
  row: { id: string; created_at: Date | string; updated_at: Date | string },
) => ({
  resourceType,
  created: new Date(row.created_at).toISOString(),
  lastModified: new Date(row.updated_at).toISOString(),
  location: `${base}/${resourceType}s/${row.id}`,
});

/** A user as directories read one. `base`: where SCIM is served. */
export const presentUser = (base: string, row: ScimUserRow) => ({
  schemas: [schemas.user],
  id: row.id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  userName: row.user_name,
  name: {
    givenName: row.first_name,
    familyName: row.last_name,
    formatted: `${row.first_name} ${row.last_name}`.trim(),
  },
  displayName: `${row.first_name} ${row.last_name}`.trim() || row.email,
  emails: [{ value: row.email, type: 'work', primary: true }],
  active: row.active,
  groups: row.groups.map((group) => ({ ...group, $ref: `${base}/Groups/${group.value}` })),
  meta: meta(base, 'User', row),
});

/** A group as directories read one. */
export const presentGroup = (base: string, row: ScimGroupRow, withMembers = true) => ({
  schemas: [schemas.group],
  id: row.id,
  ...(row.external_id !== null && { externalId: row.external_id }),
  displayName: row.display_name,
  ...(withMembers && {
    members: row.members.map((one) => ({ ...one, $ref: `${base}/Users/${one.value}` })),
  }),
  meta: meta(base, 'Group', row),
});

/** What of the protocol is here. */
export const serviceConfig = (base: string) => ({
  schemas: [schemas.config],
  documentationUri: 'https://datatracker.ietf.org/doc/html/rfc7644',
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the organization’s directory',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** The kinds of resources. */
export const resourceTypes = (base: string) =>
  (
    [
      ['User', schemas.user],
      ['Group', schemas.group],
    ] as const
  ).map(([name, schema]) => ({
    schemas: [schemas.type],
    ...{ id: name, name, endpoint: `/${name}s`, schema },
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
});
/** Which attributes of users and groups are kept. */
export const schemaDocuments = (base: string) =>
  [
    {
      ...{ id: schemas.user, name: 'User', description: 'A person' },
      attributes: [
        attribute('userName', { required: true, uniqueness: 'server' }),
        attribute('externalId', { caseExact: true }),
        attribute('active', { type: 'boolean' }),
        attribute('displayName', { mutability: 'readOnly' }),
        attribute('name', {
          type: 'complex',
          subAttributes: [attribute('givenName'), attribute('familyName')],
        }),
        attribute('emails', {
          ...{ type: 'complex', multiValued: true },
          subAttributes: [
            attribute('value'),
            attribute('type'),
            attribute('primary', { type: 'boolean' }),
          ],
        }),
        attribute('groups', {
          ...{ type: 'complex', multiValued: true, mutability: 'readOnly' },
          subAttributes: [attribute('value'), attribute('display')],
        }),
      ],
    },
    {
      ...{ id: schemas.group, name: 'Group', description: 'A group of people' },
      attributes: [
        attribute('displayName', { required: true, uniqueness: 'server' }),
        attribute('externalId', { caseExact: true }),
        attribute('members', {
          ...{ type: 'complex', multiValued: true },
          subAttributes: [attribute('value', { mutability: 'immutable' }), attribute('display')],
        }),
      ],
    },
  ].map((one) => ({
    schemas: [schemas.schema],
    ...one,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${one.id}` },
  }));
