import {
  companies,
  grantOf,
  highestRole,
  invitations as contract,
  roleRank,
  type Answer,
  type Body,
  type CompanyRole,
} from '#contract';
import { entityOf } from '#contract/fields/rules';
import { accessTo } from '../../../platform/access.ts';
import { audit } from '../../../platform/audit.ts';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { setManyValues, type ValueInput } from '../../fields/index.ts';
import {
  createPerson,
  createSipCredentials,
  hashPassword,
  openSession,
  passwordProblem,
  personByEmail,
  personById,
  presentPerson,
  type PersonRow,
} from '../../identity/index.ts';
import { personNow } from '../person-access.ts';
import { requireSeat } from '../plan/plan.ts';
import { companiesByIds, insertOrganizationAdmin } from '../store.ts';
import { requireZone } from '../write.ts';
import {
  addMember,
  closeInvitation,
  invitationByToken,
  lockInvitationByToken,
  peopleNames,
  type InvitationRow,
} from './store.ts';

// The system role: runs before a company is chosen, or creates one.

/** The invitation if its link still works. Fails with the reason why it doesn't. */
function requireOpen(row: InvitationRow | undefined, now: Date): InvitationRow {
  // A link that was replaced by a newer one is unknown.
  if (!row) return fail('invitation.expired');
  const status = contract.invitationStatus(row, now);
  return status === 'pending' ? row : fail(`invitation.${status}`);
}

/**
 * The invitation, if who sent it may still give what it gives: also where they lost that while it was
 * being sent. Fails with `invitation.revoked`.
 */
async function requireInviter(ctx: Ctx, row: InvitationRow): Promise<InvitationRow> {
  const inviter = await personNow(ctx.db, row.invited_by);
  if (inviter?.staff) return row;
  const access = inviter && accessTo(inviter, row.company_id);
  const roles = access?.roles ?? [];
  const isAllowed =
    grantOf(roles, 'users.edit') !== 'none' &&
    roleRank[row.role as CompanyRole] <= roleRank[highestRole(roles)] &&
    (row.organization_id === null || roles.includes('org-administrator'));
  return isAllowed ? row : fail('invitation.revoked');
}

/** What the link of an invitation invites to. Fails like `acceptInvitation`. */
export async function openInvitationLink(
  ctx: Ctx,
  token: string,
): Promise<Answer<typeof contract.openInvitationLink>> {
  const db = ctx.db.unscoped;
  const row = requireOpen(await invitationByToken(db, hashToken(token)), ctx.now);
  await requireInviter(ctx, row);
  const [existing, names, joined] = await Promise.all([
    personByEmail(db, row.email),
    peopleNames(db, [row.invited_by]),
    companiesByIds(db, row.company_ids.map(Number)),
  ]);
  return {
    data: {
      email: row.email,
      first_name: row.first_name,
      last_name: row.last_name,
      role: row.role as Answer<typeof contract.openInvitationLink>['data']['role'],
      invited_by: names.get(row.invited_by) ?? '',
      companies: joined.map((c) => c.name),
      message: row.message,
      expires_at: row.expires_at.toISOString(),
      account: existing ? 'existing' : 'new',
      signed_in_as: signedInAs(ctx),
    },
  };
}

/** The address of the browser's session; null: none. An API key accepts nothing. */
const signedInAs = ({ actor }: Ctx): string | null =>
  actor.userId && actor.kind === 'user' ? actor.email : null;

/**
 * Joins by a link, which works once. A new person gets an account and a session; a person with an
 * account joins in their own session, so that their second factor is asked for as always. Fails
 * with `invitation.expired`, `.revoked`, `.accepted`, `.sign_in` and `.other_person`.
 */
export async function acceptInvitation(
  ctx: Ctx,
  token: string,
  body: Body<typeof contract.acceptInvitation>,
  http: Http,
): Promise<Answer<typeof contract.acceptInvitation>> {
  const tokenHash = hashToken(token);
  const row = requireOpen(await invitationByToken(ctx.db.unscoped, tokenHash), ctx.now);
  await requireInviter(ctx, row);
  const signedIn = signedInAs(ctx);
  if (signedIn !== null && signedIn.toLowerCase() !== row.email.toLowerCase())
    fail('invitation.other_person', { email: signedIn });
  if (signedIn !== null)
    return ctx.db.systemTransaction(async (tx) => {
      const open = requireOpen(await lockInvitationByToken(tx, tokenHash), ctx.now);
      const person = mustBe(await personById(tx, ctx.actor.userId), 'the signed-in person');
      await join(ctx, tx, open, person);
      return { token: null, data: { ...presentPerson(person), company_id: open.company_id } };
    });
  if (await personByEmail(ctx.db.unscoped, row.email)) fail('invitation.sign_in');
  const account = await readNewAccount(body, row);
  return ctx.db.systemTransaction(async (tx) => {
    const open = requireOpen(await lockInvitationByToken(tx, tokenHash), ctx.now);
    const person = (await createPerson(tx, account)) ?? fail('invitation.sign_in');
    const { hostname } = new URL(ctx.settings.publicUrl);
    await createSipCredentials(tx, ctx.settings.appSecrets, person, hostname);
    await join(ctx, tx, open, person);
    const session = await openSession(ctx, tx, http, {
      personId: person.id,
      kind: 'browser',
      isConfirmed: true,
    });
    return {
      token: session.token,
      data: { ...presentPerson(person), company_id: open.company_id },
    };
  });
}

/** The new person's details. Fails at the fields that are missing or wrong. */
async function readNewAccount(
  body: Body<typeof contract.acceptInvitation>,
  { email, first_name, last_name }: InvitationRow,
) {
  const firstName = body.first_name ?? first_name;
  if (!firstName) invalid({ first_name: 'Enter your first name.' });
  const password = body.password ?? '';
  const problem = passwordProblem(password, email);
  if (problem) invalid({ password: problem });
  const timezone = body.timezone === undefined ? null : requireZone(body.timezone);
  return {
    email,
    passwordHash: await hashPassword(password),
    firstName,
    lastName: body.last_name ?? last_name,
    timezone,
  };
}

/** Adds the person to every company of the invitation that still exists, and closes it. */
async function join(ctx: Ctx, tx: Tx, row: InvitationRow, person: PersonRow): Promise<void> {
  const actor = { ...ctx.actor, userId: person.id };
  const joined = (await companiesByIds(tx, row.company_ids.map(Number))).filter(
    (c) => c.status !== 2,
  );
  for (const company of joined) {
    const isFirst = company.id === row.company_id;
    // A smaller plan since then has no seat left.
    if (isFirst) await requireSeat(tx, company.id, { now: ctx.now, isInvitation: false });
    const isNew = await addMember(tx, {
      company_id: company.id,
      user_id: person.id,
      role: row.role,
      number_ids: isFirst ? row.number_ids.map(Number) : [],
    });
    const scope = { ...ctx.actingIn(company.id, ['user']), tx, actor };
    // A value that no longer fits its field is left out: it must not keep anyone from joining.
    if (isFirst && isNew)
      await setManyValues(scope, entityOf.user, [
        { entityId: person.id, values: row.field_values as ValueInput[] },
      ]);
    await audit(scope, 'invitation.accepted', `user:${person.id}`, {
      after: { email: row.email, role: row.role, invitation: row.id },
    });
    await publishIn(
      tx,
      companies.companyUserChanged,
      { companyId: company.id, userId: person.id },
      { companyId: company.id },
    );
  }
  if (row.is_org_administrator && row.organization_id !== null)
    await insertOrganizationAdmin(tx, {
      organization_id: row.organization_id,
      user_id: person.id,
    });
  const end = { accepted_at: ctx.now, accepted_by: person.id };
  await closeInvitation(tx, row.company_id, row.id, end);
  await publishIn(
    tx,
    contract.invitationChanged,
    { companyId: row.company_id, invitationId: row.id },
    { companyId: row.company_id },
  );
}
