import type { TxCtx } from '../../platform/context.ts';
import { escapeHtml } from '../../platform/html.ts';
import { queueMail } from '../../platform/mail.ts';
import type { AccountRow } from './store.ts';

/** Emails an account's person about the account; nothing without an address, or where it is turned off. */
export async function mailAccount(
  t: TxCtx,
  account: AccountRow,
  { subject, text, key }: { subject: string; text: string; key: string },
): Promise<void> {
  const notices = account.notices as Record<string, boolean>;
  if (!account.email || notices['account'] === false) return;
  const mail = { to: account.email, subject, text, html: `<p>${escapeHtml(text)}</p>`, key };
  await queueMail(t, mail, t.tx);
}
