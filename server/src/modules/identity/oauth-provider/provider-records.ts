import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Services } from '../../../platform/context.ts';
import { hashToken, seal, unseal } from '../../../platform/secrets.ts';
import type { OidcLibrary } from './load-library.ts';
import {
  clientByClientId,
  consumeRecord,
  deleteRecord,
  findRecord,
  revokeGrant,
  saveRecord,
} from './store-oauth.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** How long a program that registered itself is kept before someone allows it something. */
const UNUSED_CLIENT_SECONDS = 90 * 86_400;

/** Where oidc-provider keeps its records: one table, ids hashed, the rest sealed. */
export const recordsOf =
  (services: Services, errors: OidcLibrary['errors']) =>
  (kind: string): Adapter => {
    const { settings, now } = services;
    const db = () => services.db.unscoped;
    const find = async (by: Parameters<typeof findRecord>[2]) => {
      const row = await findRecord(db(), kind, by, now());
      if (!row) return undefined;
      const payload = JSON.parse(unseal(settings.appSecrets, row.payload_sealed)) as AdapterPayload;
      return row.consumed_at
        ? { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) }
        : payload;
    };
    return {
      upsert: async (id, payload, expiresIn) => {
        const seconds = kind === 'Client' ? UNUSED_CLIENT_SECONDS : expiresIn;
        await saveRecord(db(), {
          kind,
          id_hash: hashToken(id),
          grant_hash: payload.grantId ? hashToken(payload.grantId) : null,
          uid_hash: payload.uid ? hashToken(payload.uid) : null,
          scopes: typeof payload.scope === 'string' ? payload.scope.split(' ') : [],
          payload_sealed: seal(settings.appSecrets, JSON.stringify(payload)),
          expires_at: seconds ? new Date(now().getTime() + seconds * 1000) : null,
        });
      },
      find: async (id) => {
        if (kind === 'Client') {
          const client = await registeredClient(services, id);
          if (client) return client;
        }
        return find({ id_hash: hashToken(id) });
      },
      findByUid: (uid) => find({ uid_hash: hashToken(uid) }),
      // We have no device flow.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        // Two uses at the same moment both found it unused: only the first one counts.
        if (!(await consumeRecord(db(), kind, hashToken(id), now())))
          throw new errors.InvalidGrant('already used');
      },
      destroy: async (id) => void (await deleteRecord(db(), kind, hashToken(id))),
      revokeByGrantId: (grantId) =>
        services.db.systemTransaction((tx) => revokeGrant(tx, hashToken(grantId), now())),
    };
  };

/** A program that an administrator registered, as oidc-provider describes it. */
async function registeredClient(
  services: Services,
  clientId: string,
): Promise<AdapterPayload | undefined> {
  const row = await clientByClientId(services.db.unscoped, clientId);
  if (!row) return undefined;
  const isLocal = row.redirect_uris.every((uri) => uri.startsWith('http:'));
  return {
    client_id: row.client_id,
    client_name: row.name,
    redirect_uris: row.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A program on a person's computer listens on whatever port is free.
    application_type: isLocal && !row.is_confidential ? 'native' : 'web',
    token_endpoint_auth_method: row.is_confidential ? 'client_secret_basic' : 'none',
    ...(row.secret_sealed && {
      client_secret: unseal(services.settings.appSecrets, row.secret_sealed),
    }),
  };
}
