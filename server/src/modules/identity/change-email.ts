import { randomInt } from 'node:crypto';
import { permissionsChanged } from '#contract/identity/events';
import { ApiError, fail, invalid } from '../../platform/errors.ts';
import { auditPerson } from '../../platform/audit.ts';
import { publishIn, type Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/html.ts';
import { queueMail } from '../../platform/mail.ts';
import { madeWithOneOf, sign } from '../../platform/secrets.ts';
import { requireAddressOfSso } from './external-sign-in/only-sso.ts';
import type { PersonRow } from './present.ts';
import { CODE_MINUTES, CODE_TRIES, fullName } from './rules.ts';
import {
  countCodesSince,
  countFailedTry,
  insertCode,
  invalidateCodes,
  lockLatestCode,
  lockPerson,
  lockSignIn,
  markCodeUsed,
  personByEmail,
} from './store.ts';
import { setEmail, setPendingEmail } from './store-profile.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const purpose = 'email_change';
/** The code works for this person and this address only. */
const hashCode = (secret: Buffer, personId: number, email: string, code: string) =>
  sign(secret, `email-change:${personId}:${email.toLowerCase()}:${code}`);

/**
 * Mails a code to a new address; the person's address stays until they enter it. The answer is the
 * same for an address that has an account, whose owner gets a notice instead. Fails with
 * `mail.not_set_up`, with `rate.limited` after too many codes, and with `sso.address_kept`.
 */
export async function startEmailChange(
  ctx: Ctx,
  person: Pick<PersonRow, 'id' | 'first_name' | 'last_name' | 'email'>,
  newEmail: string,
): Promise<void> {
  if (!ctx.settings.canMail) fail('mail.not_set_up');
  const email = newEmail.trim();
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  await ctx.db.systemTransaction(async (tx) => {
    await requireAddressOfSso(tx, person.id, email);
    await lockSignIn(tx, `email-change:${email.toLowerCase()}`);
    const since = new Date(ctx.now.getTime() - 3_600_000);
    if ((await countCodesSince(tx, purpose, email, since)) >= ctx.settings.limits.codesPerHour)
      throw new ApiError('rate.limited', { seconds: 3600 });
    await invalidateCodes(tx, purpose, email, ctx.now);
    const expiresAt = new Date(ctx.now.getTime() + CODE_MINUTES * 60_000);
    const codeId = await insertCode(tx, {
      purpose,
      email_key: email.toLowerCase(),
      hash: hashCode(ctx.settings.appSecret, person.id, email, code),
      created_at: ctx.now,
      expires_at: expiresAt,
    });
    await setPendingEmail(tx, person.id, email);
    const isTaken = (await personByEmail(tx, email)) !== undefined;
    const mail = isTaken ? takenMail() : codeMail(person, code);
    const common = { to: email, key: `email-change:${codeId}`, expiresAt, urgent: true };
    await queueMail(ctx, { ...common, ...mail }, tx);
  });
}

const codeMail = (person: Parameters<typeof fullName>[0], code: string) => {
  const hello = `Hello ${fullName(person)},`;
  const text = `To use this address for your account, enter the code ${code} in your profile. It expires in ${CODE_MINUTES} minutes.`;
  const ignore = 'If you didn’t expect this, you can ignore this email.';
  return {
    subject: `${code} confirms your new email address`,
    text: `${hello}\n\n${text}\n\n${ignore}`,
    html: `<p>${escapeHtml(hello)}</p><p>${text}</p><p>${ignore}</p>`,
  };
};
const takenMail = () => {
  const text =
    'Someone, probably you, tried to use this email address for another account. It already has an account, so it can’t be used for a second one. If this wasn’t you, you can ignore this email.';
  return { subject: 'This address already has an account', text, html: `<p>${text}</p>` };
};

/**
 * Changes the address with the code mailed to it, and tells the old one. The field error of `code`
 * for a wrong or expired code; the fifth wrong try uses it up. Fails with `email.taken` and
 * `sso.address_kept`.
 */
export async function confirmEmailChange(
  ctx: Ctx,
  person: PersonRow,
  email: string,
  code: string,
): Promise<void> {
  // A separate transaction, so that a wrong code counts.
  const isRight = await ctx.db.systemTransaction((tx) =>
    consumeCode(ctx, tx, person, email, code.replace(/\s/g, '')),
  );
  if (!isRight) invalid({ code: 'That code is not valid or has expired.' });
  const isSet = await ctx.db.systemTransaction(async (tx) => {
    await lockPerson(tx, person.id);
    await requireAddressOfSso(tx, person.id, email);
    if (!(await setEmail(tx, person.id, email))) return false;
    // An organization may ask for its own sign-in of the new address, or no longer do.
    await publishIn(tx, permissionsChanged, { userId: person.id }, { userId: person.id });
    await auditPerson(ctx, tx, person.id, 'email.changed', { from: person.email, to: email });
    // A reset link to the old address must not open the account any more.
    await invalidateCodes(tx, 'reset', person.email, ctx.now);
    const text = `The email address of your account is now ${email}. If you didn’t change it, contact us at once: ${ctx.settings.publicUrl}`;
    const mail = {
      subject: 'Your email address was changed',
      text,
      html: `<p>${escapeHtml(text)}</p>`,
    };
    const key = `email-changed:${person.id}:${ctx.now.getTime()}`;
    await queueMail(ctx, { to: person.email, key, ...mail }, tx);
    return true;
  });
  if (!isSet) fail('email.taken');
}

async function consumeCode(
  ctx: Ctx,
  tx: Tx,
  person: Pick<PersonRow, 'id' | 'pending_email'>,
  email: string,
  code: string,
): Promise<boolean> {
  if (person.pending_email?.toLowerCase() !== email.toLowerCase()) return false;
  const sent = await lockLatestCode(tx, purpose, email, ctx.now);
  if (!sent || sent.tries >= CODE_TRIES) return false;
  const isRight = madeWithOneOf(ctx.settings.appSecrets, sent.hash, (secret) =>
    hashCode(secret, person.id, email, code),
  );
  if (isRight) await markCodeUsed(tx, sent.id, ctx.now);
  else await countFailedTry(tx, sent.id);
  return isRight;
}
