import { sentences, type Answer, type Body, type identity as contract } from '#contract';
import { auditPerson } from '../../platform/audit.ts';
import { enqueueIn, type Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { queueMail } from '../../platform/mail.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { escapeHtml } from '../../platform/html.ts';
import { requirePasswordOfUse, uselessPasswordOf } from './external-sign-in/only-sso.ts';
import { hashPassword } from './passwords.ts';
import type { PersonRow } from './present.ts';
import { RESETS_PER_HOUR, RESET_MINUTES, fullName, passwordProblem } from './rules.ts';
import {
  lockCodeByHash,
  countCodesSince,
  deleteFailures,
  insertCode,
  lockPerson,
  lockSignIn,
  personByEmail,
  setPassword,
} from './store.ts';
import { revokeSessionsIn } from './token-sessions.ts';
import { mailResetLinkJob } from './job-kinds.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Queues a reset link. The job looks up the address, so that answer and timing are the same for every
 * address. Fails with `mail.not_set_up`.
 */
export async function forgotPassword(
  ctx: Ctx,
  body: Body<typeof contract.forgotPassword>,
): Promise<Answer<typeof contract.forgotPassword>> {
  if (!ctx.settings.canMail) fail('mail.not_set_up');
  await enqueueIn(ctx.db.unscoped, mailResetLinkJob, { email: body.email });
  return { data: { sent: true } };
}

/**
 * Job: mails a reset link, at most three per hour. A second run mails another one, which works as
 * well.
 */
export async function mailResetLink(ctx: Ctx, { email }: { email: string }): Promise<void> {
  await ctx.db.systemTransaction(async (tx) => {
    const person = await personByEmail(tx, email);
    if (!person || person.disabled_at) return;
    await lockSignIn(tx, `reset:${person.id}`);
    if (
      (await countCodesSince(tx, 'reset', email, new Date(ctx.now.getTime() - 3_600_000))) >=
      RESETS_PER_HOUR
    )
      return;
    const rule = await uselessPasswordOf(tx, person);
    if (rule) return mailWayThroughSso(ctx, tx, person, rule.organization);
    const token = randomToken('reset');
    const expiresAt = new Date(ctx.now.getTime() + RESET_MINUTES * 60_000);
    const id = await insertCode(tx, {
      purpose: 'reset',
      email_key: person.email.toLowerCase(),
      hash: hashToken(token),
      created_at: ctx.now,
      expires_at: expiresAt,
    });
    const link = `${ctx.settings.publicUrl}/reset-password/${token}`;
    const text = `Hello ${fullName(person)},\n\nUse this link to set a new password. It works once and expires in ${RESET_MINUTES} minutes:\n${link}\n\nIf you didn’t request this, nothing has changed and you can ignore this email.`;
    const html = `<p>Hello ${escapeHtml(fullName(person))},</p><p><a href="${link}">Set a new password</a>. The link works once and expires in ${RESET_MINUTES} minutes.</p><p>If you didn’t request this, nothing has changed and you can ignore this email.</p>`;
    await queueMail(
      ctx,
      {
        to: person.email,
        subject: 'Set a new password',
        text,
        html,
        key: `reset:${id}`,
        expiresAt,
        urgent: true,
      },
      tx,
    );
  });
}

/** Instead of a link that could open nothing. It counts like one, so that nobody is flooded. */
async function mailWayThroughSso(
  ctx: Ctx,
  tx: Tx,
  person: PersonRow,
  organization: string,
): Promise<void> {
  const id = await insertCode(tx, {
    purpose: 'reset',
    email_key: person.email.toLowerCase(),
    hash: hashToken(randomToken('reset')),
    created_at: ctx.now,
    expires_at: ctx.now,
  });
  const link = `${ctx.settings.publicUrl}/login`;
  const text = `Hello ${fullName(person)},\n\n${organization} lets you in only through its single sign-on, so there is no password to reset here. Enter your email address at the sign-in page, and choose “Continue with ${organization}”:\n${link}`;
  const html = text
    .split('\n\n')
    .map((part) => `<p>${escapeHtml(part)}</p>`)
    .join('');
  await queueMail(
    ctx,
    {
      ...{ to: person.email, subject: `Sign in through ${organization}`, text, html },
      ...{ key: `reset:${id}`, urgent: true },
    },
    tx,
  );
}

/**
 * Sets a password by a mailed link, which works once, for an hour. Ends all sessions and other
 * links. Fails with `reset.expired` and `sso.required`.
 */
export async function resetPassword(
  ctx: Ctx,
  body: Body<typeof contract.resetPassword>,
): Promise<Answer<typeof contract.resetPassword>> {
  if (body.password_confirmation !== undefined && body.password_confirmation !== body.password)
    invalid({ password_confirmation: 'The two passwords don’t match.' });
  const person = await ctx.db.systemTransaction(async (tx) => {
    const code = await lockCodeByHash(tx, 'reset', hashToken(body.token), ctx.now);
    const found = code && (await personByEmail(tx, code.email_key));
    if (found) await requirePasswordOfUse(tx, found);
    return found;
  });
  if (!person) fail('reset.expired');
  const problem = passwordProblem(body.password, person.email);
  if (problem) invalid({ password: problem });
  const passwordHash = await hashPassword(body.password);
  const isSet = await ctx.db.systemTransaction(async (tx) => {
    await lockPerson(tx, person.id);
    // This or another link may have been used in between.
    if (!(await lockCodeByHash(tx, 'reset', hashToken(body.token), ctx.now))) return false;
    await setPassword(tx, person, passwordHash, ctx.now);
    await deleteFailures(tx, person.email);
    await revokeSessionsIn(tx, { personId: person.id }, ctx.now);
    await auditPerson(ctx, tx, person.id, 'password.reset');
    return true;
  });
  if (!isSet) fail('reset.expired');
  return { data: { message: sentences.passwordChangedLogin } };
}
