import { highestRole, roleRank, type Answer, type companies as contract } from '#contract';
import { grantIn } from '../../../platform/access.ts';
import { audit, auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { revokeSessionsOf } from '../../identity/index.ts';
import { companyRow } from '../store.ts';
import { activePeople, signedOutSince, type ActivePerson } from './store-sessions.ts';

// The system role: runs before a company is chosen, or creates one.

/** How long a company waits before it signs out again who also works elsewhere. */
const SHARED_WAIT_MS = 60 * 60_000;

/**
 * Signs a person of the company out everywhere, except the session that asks. Fails with
 * `not_found`, `user.above_you`, `sessions.ended_lately`.
 */
export async function endUserSessions(
  ctx: Ctx,
  userId: number,
): Promise<Answer<typeof contract.endUserSessions>> {
  const ended = await ctx.db.systemTransaction(async (tx) => {
    const [person] = await activePeople(tx, ctx.companyId, userId);
    if (!person) return notFound();
    if (isAbove(ctx, person)) return fail('user.above_you');
    const { skipped, ended: sessions } = await signOut(ctx, tx, [person]);
    if (skipped) return fail('sessions.ended_lately');
    // Those of other companies have their row already.
    if (!isShared(ctx, person)) await auditEnded(ctx, tx, userId, sessions);
    return sessions;
  });
  return { data: { ended } };
}

/** Signs out everyone in the company who isn't above the actor, except the session that asks. */
export async function endCompanySessions(
  ctx: Ctx,
): Promise<Answer<typeof contract.endCompanySessions>> {
  const data = await ctx.db.systemTransaction(async (tx) => {
    const people = await activePeople(tx, ctx.companyId);
    const result = await signOut(
      ctx,
      tx,
      people.filter((person) => !isAbove(ctx, person)),
    );
    await audit({ ...ctx, tx }, 'company.sessions_ended', `company:${ctx.companyId}`, {
      after: { people: result.people, sessions: result.ended },
    });
    return result;
  });
  return { data };
}

const isAbove = (ctx: Ctx, { roles }: ActivePerson): boolean =>
  roleRank[highestRole(roles)] > roleRank[ctx.role];

/** Whether the person also works where the actor can't edit people. Staff answer to no company. */
const isShared = (ctx: Ctx, person: ActivePerson): boolean =>
  ctx.role !== 'platform' &&
  person.id !== ctx.actor.userId &&
  person.company_ids.some(
    (id) =>
      id !== ctx.companyId &&
      grantIn(ctx.actor.memberships.find((m) => m.companyId === id) ?? null, 'users.edit') ===
        'none',
  );

/**
 * Ends the sessions of these people, except the one that asks. Sessions belong to people, so who
 * also works elsewhere is signed out there, too: that leaves a row in those companies' logs and a
 * mail, and happens once an hour (`skipped` otherwise), so that no company keeps another's people
 * out. The counts are of people and of their sessions.
 */
async function signOut(
  ctx: Ctx,
  tx: Tx,
  people: readonly ActivePerson[],
): Promise<{ people: number; ended: number; skipped: number }> {
  const shared = people.filter((person) => isShared(ctx, person));
  const since = new Date(ctx.now.getTime() - SHARED_WAIT_MS);
  const sharedIds = shared.map(({ id }) => id);
  const skipped = await signedOutSince(tx, ctx.companyId, sharedIds, since);
  const personIds = people.map(({ id }) => id).filter((id) => !skipped.has(id));
  const { sessionId: exceptId } = ctx.actor;
  const ended = await revokeSessionsOf(tx, { personIds, exceptId }, ctx.now);
  const company = shared.length ? await companyRow(tx, ctx.companyId) : undefined;
  for (const person of shared.filter(({ id }) => !skipped.has(id))) {
    const sessions = ended.get(person.id)?.length ?? 0;
    await auditEnded(ctx, tx, person.id, sessions);
    if (sessions) await tellElsewhere(ctx, tx, person, company?.name ?? '');
  }
  const counts = [...ended.values()].map(({ length }) => length);
  return {
    people: ended.size,
    ended: counts.reduce((sum, count) => sum + count, 0),
    skipped: skipped.size,
  };
}

const auditEnded = (ctx: Ctx, tx: Tx, userId: number, sessions: number): Promise<void> =>
  audit({ ...ctx, tx }, 'user.sessions_ended', `user:${userId}`, { after: { sessions } });

/** A row in the logs of the person's other companies, without whose it was, and a mail with it. */
async function tellElsewhere(
  ctx: Ctx,
  tx: Tx,
  person: ActivePerson,
  company: string,
): Promise<void> {
  // Where the administrator was is no business of the other companies.
  const nowhere = { ...ctx, origin: undefined, actor: { ...ctx.actor, sessionId: 0 } };
  await auditPerson(nowhere, tx, person.id, 'session.ended_elsewhere', undefined, ctx.companyId);
  const text = `${ctx.actor.name} of ${company} signed you out of all your browsers and devices. Sign in again to go on: your password and second steps are the same. If you didn’t expect this, ask ${company}.`;
  await queueMail(
    ctx,
    {
      to: person.email,
      key: `sessions-ended:${person.id}:${ctx.companyId}:${ctx.now.getTime()}`,
      subject: 'You were signed out',
      text,
      html: `<p>${escapeHtml(text)}</p>`,
    },
    tx,
  );
}
