import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import type { PersonRow } from './present.ts';
import { PASSWORD_LINK_DAYS } from './rules.ts';
import { insertCode } from './store.ts';

/**
 * A link with which a person whose account somebody else made sets a password: works once, for a week,
 * like one that they asked for (`resetPassword`).
 */
export async function createPasswordLink(
  ctx: Pick<Ctx, 'settings' | 'now'>,
  tx: Tx,
  person: Pick<PersonRow, 'email'>,
): Promise<{ link: string; codeId: number; expiresAt: Date }> {
  const token = randomToken('reset');
  const expiresAt = new Date(ctx.now.getTime() + PASSWORD_LINK_DAYS * 86_400_000);
  const codeId = await insertCode(tx, {
    purpose: 'reset',
    email_key: person.email.toLowerCase(),
    hash: hashToken(token),
    created_at: ctx.now,
    expires_at: expiresAt,
  });
  return { link: `${ctx.settings.publicUrl}/reset-password/${token}`, codeId, expiresAt };
}
