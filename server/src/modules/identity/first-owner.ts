import type { Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { FIRST_OWNER_HOURS } from './rules.ts';
import { lockCodeByHash, insertCode, lockSignIn, invalidateCodes, markCodeUsed } from './store.ts';
import { anyPersonExists } from './store-profile.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * A sign-up link for the first owner of a server without mail: works once, for 24 hours, and replaces
 * earlier ones. Null: someone has signed up already. The key is in the fragment, which browsers never
 * send.
 */
export async function createFirstOwnerLink({
  db,
  settings,
  now,
}: Pick<Services, 'db' | 'settings' | 'now'>): Promise<string | null> {
  const key = randomToken('owner');
  const at = now();
  return db.systemTransaction(async (tx) => {
    await lockSignIn(tx, 'first-owner');
    if (await anyPersonExists(tx)) return null;
    await invalidateCodes(tx, 'first_owner', '', at);
    await insertCode(tx, {
      purpose: 'first_owner',
      email_key: '',
      hash: hashToken(key),
      created_at: at,
      expires_at: new Date(at.getTime() + FIRST_OWNER_HOURS * 3_600_000),
    });
    return `${settings.publicUrl}/signup#key=${key}`;
  });
}

/** Uses the key of that link up. False: wrong, expired, or someone has signed up already. */
export async function consumeFirstOwnerKey(tx: Tx, key: string, now: Date): Promise<boolean> {
  await lockSignIn(tx, 'first-owner');
  const code = (await anyPersonExists(tx))
    ? undefined
    : await lockCodeByHash(tx, 'first_owner', hashToken(key), now);
  if (!code) return false;
  await markCodeUsed(tx, code.id, now);
  return true;
}
