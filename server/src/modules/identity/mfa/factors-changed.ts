import { mfa } from '#contract';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { syncMfaEnabled } from './store.ts';
import type { PersonRow } from '../present.ts';

/**
 * Follows every change of the signed-in person's factors: notes whether they have any, tells their
 * screens (and, through a subscriber, those of their companies), and emails them, so that a change
 * by someone else is noticed.
 */
export async function factorsChanged(
  ctx: Ctx,
  tx: Tx,
  person: Pick<PersonRow, 'id' | 'email'>,
  sentence: string,
): Promise<void> {
  await syncMfaEnabled(tx, person.id, ctx.now);
  await publishIn(tx, mfa.factorsChanged, { userId: person.id }, { userId: person.id });
  await mailNotice(ctx, tx, person, sentence);
}

/** Emails a person that their sign-in changed. */
export const mailNotice = (
  ctx: Pick<Ctx, 'db' | 'settings' | 'now'>,
  tx: Tx,
  person: Pick<PersonRow, 'email'>,
  sentence: string,
): Promise<void> => {
  const advice =
    'If this wasn’t you, set a new password and ask an administrator of your company for help.';
  return queueMail(
    ctx,
    {
      to: person.email,
      subject: 'Your sign-in has changed',
      text: `${sentence}\n\n${advice}`,
      html: `<p>${escapeHtml(sentence)}</p><p>${advice}</p>`,
    },
    tx,
  );
};
