import { accessTo, type Access } from '../../platform/access.ts';
import type { Actor } from '../../platform/context.ts';
import type { Db } from '../../platform/db.ts';
import { fullName } from '../identity/index.ts';
import { membershipsOf } from './actors.ts';
import { findPerson } from './store-session.ts';

// The system role: runs before a company is chosen, or creates one.

/**
 * A person as they may act now without a request of their own: for jobs they started and their
 * phones. Staff keep what admin mode gives as long as a session of theirs is in it. Null: disabled,
 * or gone.
 */
export async function personNow(db: Db, personId: number): Promise<Actor | null> {
  const row = await findPerson(db.unscoped, personId);
  return row
    ? {
        kind: 'user',
        userId: row.person_id,
        name: fullName(row),
        email: row.email,
        sessionId: 0,
        staff: row.is_staff,
        adminMode: row.is_staff && row.is_in_admin_mode,
        memberships: membershipsOf(row, null),
      }
    : null;
}

/** What a person may do in a company now, outside of a request. Null: it isn't theirs. */
export async function accessOfPerson(
  db: Db,
  companyId: number,
  personId: number,
): Promise<Access | null> {
  const actor = await personNow(db, personId);
  return actor && accessTo(actor, companyId);
}
