import type { Actor, Services } from '../../platform/context.ts';
import { hashToken } from '../../platform/secrets.ts';
import { fullName } from '../identity/index.ts';
import { membershipsOf } from './actors.ts';
import { findProgramToken, touchAuthorization } from './store-program-token.ts';

// The system role: runs before a company is chosen, or creates one.

const TOUCH_AFTER_MS = 60_000;

/**
 * The person whom a program's access token acts for: in the one company they chose, within its
 * scopes. Null: not such a token, or its access has ended.
 */
export async function recognizeProgram(
  services: Services,
  token: string,
  ip: string,
): Promise<{ actor: Actor; by: 'bearer'; until: Date } | null> {
  const now = services.now();
  const row = await findProgramToken(services.db.unscoped, hashToken(token), now);
  if (!row) return null;
  if (now.getTime() - (row.last_used_at?.getTime() ?? 0) > TOUCH_AFTER_MS)
    await touchAuthorization(services.db.unscoped, row.authorization_id, now);
  const actor: Actor = {
    kind: 'key',
    userId: row.person_id,
    name: fullName(row),
    email: row.email,
    sessionId: 0,
    staff: false,
    adminMode: false,
    scopes: row.scopes,
    memberships: membershipsOf(row, ip),
  };
  return { actor, by: 'bearer', until: row.expires_at };
}
