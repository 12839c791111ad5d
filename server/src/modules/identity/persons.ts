import { hash } from '@node-rs/argon2';
import { randomBytes, randomInt } from 'node:crypto';
import type { Answer, identity as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, same, seal, unseal } from '../../platform/secrets.ts';
import { CODE_MINUTES, CODE_TRIES, maskEmail, plainMoment } from './rules.ts';
import { codesSince, insertCode, insertPerson, latestCode, missCode, setSip, setWhatsNewRead, useCode } from './store.ts';
import type { PersonRow } from './present.ts';

/** Make a person. null when the address is taken. */
export async function createPerson(tx: Tx, p: { email: string; password: string; firstName: string; lastName: string; timezone: string | null; staff?: boolean }): Promise<PersonRow | null> {
  return (await insertPerson(tx, { email: p.email, password_hash: await hash(p.password), first_name: p.firstName, last_name: p.lastName, timezone: p.timezone, is_staff: p.staff ?? false })) ?? null;
}

/** SIP credentials that calling inside the app needs (all three of them, A §1). Made once. */
export async function giveSipCredentials(tx: Tx, secret: Buffer, person: Pick<PersonRow, 'id'>, domain: string): Promise<void> {
  const user = `u${person.id}`;
  await setSip(tx, person.id, { sip_user: user, sip_address: `sip:${user}@${domain}`, sip_password_secret: seal(secret, randomBytes(15).toString('base64url')) });
}
export const sipOf = (secret: Buffer, p: Pick<PersonRow, 'sip_address' | 'sip_user' | 'sip_password_secret'>) => ({
  sip_address: p.sip_address, sip_user: p.sip_user, sip_password: p.sip_password_secret ? unseal(secret, p.sip_password_secret) : null,
});

export async function whatsNewRead(ctx: Ctx): Promise<Answer<typeof contract.whatsNewRead>> {
  await ctx.db.system((tx) => setWhatsNewRead(tx, ctx.actor.userId, ctx.now));
  return { data: { read_whats_new_at: plainMoment(ctx.now) } };
}

/** Mail a six-digit sign-up code. Per address at most `codesPerHour`; null when that is reached. */
export async function sendSignupCode(ctx: Ctx, email: string): Promise<{ masked: string; expiresIn: number } | null> {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const allowed = await ctx.db.system(async (tx) => {
    if ((await codesSince(tx, 'signup', email, new Date(ctx.now.getTime() - 3_600_000))) >= ctx.settings.limits.codesPerHour) return false;
    await insertCode(tx, { purpose: 'signup', email_key: email.trim().toLowerCase(), hash: hashToken(code), created_at: ctx.now, expires_at: new Date(ctx.now.getTime() + CODE_MINUTES * 60_000) });
    return true;
  });
  if (!allowed) return null;
  const text = `Your code is ${code}. It works for ${CODE_MINUTES} minutes.`;
  await ctx.ports.mail.send({ to: email, subject: `${code} is your code`, text, html: `<p>Your code is <b>${code}</b>. It works for ${CODE_MINUTES} minutes.</p>` });
  return { masked: maskEmail(email), expiresIn: CODE_MINUTES * 60 };
}

/** Use a sign-up code: right → true and spent; wrong → false and counted (5 tries a code). */
export async function useSignupCode(tx: Tx, email: string, code: string, now: Date): Promise<boolean> {
  const sent = await latestCode(tx, 'signup', email, now);
  if (!sent || sent.tries >= CODE_TRIES) return false;
  if (!same(sent.hash, hashToken(code))) { await missCode(tx, sent.id); return false; }
  await useCode(tx, sent.id, now);
  return true;
}
