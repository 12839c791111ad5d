import { hash } from '@node-rs/argon2';
import { sentences, type Answer, type Body, type identity as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { RESET_MINUTES, fullName, whyNotPassword } from './rules.ts';
import { codeByHash, codesSince, insertCode, personByEmail, setPassword, useCode } from './store.ts';
import { revoke } from './token-sessions.ts';

/** Mail a reset link. Unknown and known addresses get one answer; at most 3 links an hour leave. */
export async function forgotPassword(ctx: Ctx, said: Body<typeof contract.forgotPassword>): Promise<Answer<typeof contract.forgotPassword>> {
  const token = randomToken('reset');
  const person = await ctx.db.system(async (tx) => {
    const found = await personByEmail(tx, said.email);
    if (!found || found.disabled_at || (await codesSince(tx, 'reset', said.email, new Date(ctx.now.getTime() - 3_600_000))) >= 3) return null;
    await insertCode(tx, { purpose: 'reset', email_key: found.email.toLowerCase(), hash: hashToken(token), created_at: ctx.now, expires_at: new Date(ctx.now.getTime() + RESET_MINUTES * 60_000) });
    return found;
  });
  if (person) {
    const link = `${ctx.settings.publicUrl}/reset-password/${token}`;
    const text = `Hello ${fullName(person)},\n\nset a new password here (the link works once, for ${RESET_MINUTES} minutes):\n${link}\n\nIf you did not ask for this, nothing has changed and you can ignore this mail.`;
    await ctx.ports.mail.send({ to: person.email, subject: 'Set a new password', text, html: `<p>Hello ${escape(fullName(person))},</p><p><a href="${link}">Set a new password</a>. The link works once, for ${RESET_MINUTES} minutes.</p><p>If you did not ask for this, nothing has changed and you can ignore this mail.</p>` });
  }
  return { data: { sent: true } };
}
const escape = (s: string) => s.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** Set a new password by a mailed link: once, within its hour; every session of the person ends. */
export async function resetPassword(ctx: Ctx, said: Body<typeof contract.resetPassword>): Promise<Answer<typeof contract.resetPassword>> {
  if (said.password_confirmation !== undefined && said.password_confirmation !== said.password) invalid({ password_confirmation: 'The two passwords differ.' });
  const personId = await ctx.db.system(async (tx) => {
    const code = await codeByHash(tx, 'reset', hashToken(said.token), ctx.now);
    const person = code && (await personByEmail(tx, code.email_key));
    if (!code || !person) return null;
    const why = whyNotPassword(said.password, person.email);
    if (why) invalid({ password: why });
    await useCode(tx, code.id, ctx.now);
    await setPassword(tx, person.id, await hash(said.password));
    return person.id;
  });
  if (!personId) refuse('reset.expired');
  await revoke(ctx, { personId });
  return { data: { message: sentences.passwordChangedLogin } };
}
