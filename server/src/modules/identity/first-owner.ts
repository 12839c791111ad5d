import type { House } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { FIRST_OWNER_HOURS } from './rules.ts';
import { anyPerson, codeByHash, insertCode, lockSignIn, spendCodes, useCode } from './store.ts';

/**
 * The address at which the first owner signs up on a server that cannot send them a code: once, within a day. Those made
 * before no longer work. Null when there is somebody already. The key stands behind `#`, which browsers send to nobody.
 */
export async function makeFirstOwnerLink({
  db,
  settings,
  now,
}: Pick<House, 'db' | 'settings' | 'now'>): Promise<string | null> {
  const key = randomToken('owner');
  const at = now();
  return db.system(async (tx) => {
    await lockSignIn(tx, 'first-owner');
    if (await anyPerson(tx)) return null;
    await spendCodes(tx, 'first_owner', '', at);
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

/** Use the key of that address: right, and nobody here yet → true and spent. */
export async function useFirstOwnerKey(tx: Tx, key: string, now: Date): Promise<boolean> {
  await lockSignIn(tx, 'first-owner');
  const code = (await anyPerson(tx))
    ? undefined
    : await codeByHash(tx, 'first_owner', hashToken(key), now);
  if (!code) return false;
  await useCode(tx, code.id, now);
  return true;
}
