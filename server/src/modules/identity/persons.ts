import { randomBytes, randomInt } from 'node:crypto';
import type { Answer, identity as contract } from '#contract';
import { enqueueIn, type Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { queueMail } from '../../platform/mail.ts';
import { madeWithOneOf, seal, sign, unseal, type KeyRing } from '../../platform/secrets.ts';
import { CODE_MINUTES, CODE_TRIES, maskEmail, formatUtcDateTime } from './rules.ts';
import {
  countCodesSince,
  insertCode,
  insertPerson,
  lockLatestCode,
  lockSignIn,
  countFailedTry,
  personByEmail,
  setSipCredentials,
  markCodeUsed,
} from './store.ts';
import { setWhatsNewRead } from './store-profile.ts';
import type { PersonRow } from './present.ts';
import { mailSignupCodeJob } from './job-kinds.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Creates a person; null: the address is taken. Hash the password before the transaction
 * (`hashPassword`).
 */
export async function createPerson(
  tx: Tx,
  p: {
    email: string;
    /** Null: they come through a provider. */
    passwordHash: string | null;
    firstName: string;
    lastName: string;
    timezone: string | null;
    staff?: boolean;
    /** Has an account in Caddy and no part in companies. */
    individual?: boolean;
  },
): Promise<PersonRow | null> {
  return (
    (await insertPerson(tx, {
      email: p.email,
      password_hash: p.passwordHash,
      first_name: p.firstName,
      last_name: p.lastName,
      timezone: p.timezone,
      is_staff: p.staff ?? false,
      is_individual: p.individual ?? false,
    })) ?? null
  );
}

/** Creates the SIP credentials for calls in the app (A §1). */
export async function createSipCredentials(
  tx: Tx,
  secrets: KeyRing,
  person: Pick<PersonRow, 'id'>,
  domain: string,
): Promise<void> {
  const user = `u${person.id}`;
  await setSipCredentials(tx, person.id, {
    sip_user: user,
    sip_address: `sip:${user}@${domain}`,
    sip_password_secret: seal(secrets, randomBytes(15).toString('base64url')),
  });
}
/** What a SIP phone signs in with. The password is null until one was made. */
export const sipCredentialsOf = (
  secrets: KeyRing,
  p: Pick<PersonRow, 'sip_address' | 'sip_user' | 'sip_password_secret'>,
) => ({
  sip_address: p.sip_address,
  sip_user: p.sip_user,
  sip_password: p.sip_password_secret ? unseal(secrets, p.sip_password_secret) : null,
});

/** Notes when the user last opened What's new. */
export async function markWhatsNewRead(ctx: Ctx): Promise<Answer<typeof contract.whatsNewRead>> {
  await ctx.db.systemTransaction((tx) => setWhatsNewRead(tx, ctx.actor.userId, ctx.now));
  return { data: { read_whats_new_at: formatUtcDateTime(ctx.now) } };
}

/** Keyed, because six digits can be guessed from a plain hash. */
const hashCode = (secret: Buffer, email: string, code: string) =>
  sign(secret, `signup:${email.trim().toLowerCase()}:${code}`);

/**
 * Queues a six-digit sign-up code. `expiresIn` in seconds; null: `codesPerHour` is reached. The job looks
 * up whether the address has an account, so that the answer is the same for every address.
 */
export async function sendSignupCode(
  ctx: Ctx,
  email: string,
): Promise<{ masked: string; expiresIn: number } | null> {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const isAllowed = await ctx.db.systemTransaction(async (tx) => {
    await lockSignIn(tx, `signup:${email.trim().toLowerCase()}`);
    if (
      (await countCodesSince(tx, 'signup', email, new Date(ctx.now.getTime() - 3_600_000))) >=
      ctx.settings.limits.codesPerHour
    )
      return false;
    const codeId = await insertCode(tx, {
      purpose: 'signup',
      email_key: email.trim().toLowerCase(),
      hash: hashCode(ctx.settings.appSecret, email, code),
      created_at: ctx.now,
      expires_at: new Date(ctx.now.getTime() + CODE_MINUTES * 60_000),
    });
    await enqueueIn(tx, mailSignupCodeJob, {
      email,
      codeId,
      sealedCode: seal(ctx.settings.appSecrets, code),
    });
    return true;
  });
  return isAllowed ? { masked: maskEmail(email), expiresIn: CODE_MINUTES * 60 } : null;
}

/** Job: mails the code, or to people with an account that they have one. */
export async function mailSignupCode(
  ctx: Ctx,
  { email, codeId, sealedCode }: { email: string; codeId: number; sealedCode: string },
): Promise<void> {
  const existing = await personByEmail(ctx.db.unscoped, email);
  const expiresAt = new Date(ctx.now.getTime() + CODE_MINUTES * 60_000);
  const common = { to: email, key: `signup:${codeId}`, expiresAt, urgent: true };
  if (existing) {
    const [login, forgot] = [
      `${ctx.settings.publicUrl}/login`,
      `${ctx.settings.publicUrl}/forgot-password`,
    ];
    return queueMail(ctx, {
      ...common,
      subject: 'You already have an account',
      text: `Someone, probably you, tried to create an account with this email address. You already have an account.\n\nSign in: ${login}\nSet a new password: ${forgot}\n\nIf this wasn’t you, you can ignore this email.`,
      html: `<p>Someone, probably you, tried to create an account with this email address. You already have an account.</p><p><a href="${login}">Sign in</a> or <a href="${forgot}">set a new password</a>.</p><p>If this wasn’t you, you can ignore this email.</p>`,
    });
  }
  const code = unseal(ctx.settings.appSecrets, sealedCode);
  const text = `Your code is ${code}. It expires in ${CODE_MINUTES} minutes.`;
  await queueMail(ctx, {
    ...common,
    subject: `${code} is your code`,
    text,
    html: `<p>Your code is <b>${code}</b>. It expires in ${CODE_MINUTES} minutes.</p>`,
  });
}

/**
 * Uses a sign-up code up. False: wrong or expired, or the fifth wrong try; a wrong try is counted.
 */
export async function consumeSignupCode(
  ctx: Ctx,
  tx: Tx,
  email: string,
  code: string,
): Promise<boolean> {
  const sent = await lockLatestCode(tx, 'signup', email, ctx.now);
  if (!sent || sent.tries >= CODE_TRIES) return false;
  const isRight = madeWithOneOf(ctx.settings.appSecrets, sent.hash, (secret) =>
    hashCode(secret, email, code),
  );
  if (!isRight) {
    await countFailedTry(tx, sent.id);
    return false;
  }
  await markCodeUsed(tx, sent.id, ctx.now);
  return true;
}
