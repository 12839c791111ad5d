import { invitations as contract, roleRank, type Answer, type Body } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { firstOf, mustBe } from '../../../platform/must-be.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken, randomToken } from '../../../platform/secrets.ts';
import { fieldsFor, readValues } from '../../fields/index.ts';
import { requireSeat } from '../plan/plan.ts';
import { companiesByIds, companyRow, isOrganizationAdmin, numbersOf } from '../store.ts';
import { presentInvitations, type PresentedInvitation } from './present.ts';
import { sendInvitation } from './send-invitation.ts';
import {
  insertInvitation,
  invitationById,
  lockInvitationsTo,
  pendingInvitationTo,
  rolesByEmail,
} from './store.ts';

// The system role: invitations name people, and several companies of an organization.

type InviteBody = Body<typeof contract.invitePerson>;

/**
 * Invites a person (A18.3). A pending invitation to the same address is returned as it is. Fails
 * with `plan.seats`, `invitation.company_closed`, `invitation.already_member`, `invitation.deactivated`,
 * `invitation.role_above_yours`, with `role.forbidden` for an organization that the inviter doesn't
 * administer.
 */
export async function invitePerson(
  ctx: TxCtx,
  body: InviteBody,
  http: Http,
): Promise<Answer<typeof contract.invitePerson>> {
  if (roleRank[body.role] > roleRank[ctx.role]) fail('invitation.role_above_yours');
  // Only administrators of its organization get here; nobody else could use the invitation.
  if ((await companyRow(ctx.tx, ctx.companyId))?.status === 2) fail('invitation.company_closed');
  const organizationId = await organizationOf(ctx, body);
  const companyIds = await companiesToJoin(ctx, body, organizationId);
  await checkNumbers(ctx, body.numbers ?? [], companyIds);
  await checkValues(ctx, body);
  await lockInvitationsTo(ctx.tx, ctx.companyId, body.email);
  const pending = await pendingInvitationTo(ctx.tx, ctx.companyId, body.email, ctx.now);
  if (pending) return { data: await presentById(ctx, pending.id) };
  await refuseMembers(ctx, body, companyIds);
  await requireSeat(ctx.tx, ctx.companyId, { now: ctx.now, isInvitation: true });

  const token = randomToken('tli');
  const id = await insertInvitation(ctx.tx, {
    company_id: ctx.companyId,
    email: body.email,
    first_name: body.first_name ?? '',
    last_name: body.last_name ?? '',
    role: body.role,
    company_ids: companyIds,
    number_ids: [...new Set(body.numbers ?? [])],
    organization_id: organizationId,
    is_org_administrator: body.is_org_administrator ?? false,
    field_values: body.eavAttributeValues ?? [],
    message: body.message || null,
    token_hash: hashToken(token),
    invited_by: ctx.actor.userId,
    sent_at: ctx.now,
    expires_at: expiryOf(ctx.now),
  });
  const data = await presentById(ctx, id, token);
  await audit(ctx, 'invitation.sent', `invitation:${id}`, {
    after: { email: body.email, role: body.role, company_ids: companyIds, numbers: body.numbers },
  });
  await ctx.publish(contract.invitationChanged, { companyId: ctx.companyId, invitationId: id });
  void http.reply.code(201);
  return { data };
}

/** When a link sent now stops working. */
export const expiryOf = (now: Date) =>
  new Date(now.getTime() + contract.INVITATION_DAYS * 86_400_000);

/** The invitation as the API returns it; with its new `token` it is sent, too. */
export async function presentById(
  ctx: TxCtx,
  id: number,
  token?: string,
): Promise<PresentedInvitation> {
  const row = mustBe(await invitationById(ctx.tx, ctx.companyId, id), 'the invitation');
  const data = firstOf(await presentInvitations(ctx.db.unscoped, [row], ctx.now));
  return { ...data, link: token ? await sendInvitation(ctx, data, token) : null };
}

/** The organization that invites; null: the company alone. */
async function organizationOf(ctx: TxCtx, body: InviteBody): Promise<number | null> {
  const isForOrganization =
    body.businessUnitId !== undefined ||
    Boolean(body.businessUnitCompanyIds?.length) ||
    body.is_org_administrator === true;
  if (!isForOrganization) return null;
  const { organization_id: own } = (await companyRow(ctx.tx, ctx.companyId)) ?? notFound();
  if (body.businessUnitId !== undefined && body.businessUnitId !== own) notFound();
  if (own === null) return invalid({ businessUnitId: 'This company is in no organization.' });
  const mayInvite =
    ctx.role === 'platform' || (await isOrganizationAdmin(ctx.db.unscoped, own, ctx.actor.userId));
  if (mayInvite) return own;
  return body.businessUnitCompanyIds?.length ? notFound() : fail('role.forbidden');
}

/** Every company to join, the one in the path first. `not_found` for one of no such organization. */
async function companiesToJoin(
  ctx: TxCtx,
  { businessUnitCompanyIds = [] }: InviteBody,
  organizationId: number | null,
): Promise<number[]> {
  const companyIds = [...new Set([ctx.companyId, ...businessUnitCompanyIds])];
  if (companyIds.length === 1) return companyIds;
  const found = await companiesByIds(ctx.db.unscoped, companyIds);
  const isAllowed = (id: number) =>
    found.some((c) => c.id === id && c.organization_id === organizationId && c.status !== 2);
  if (!companyIds.every(isAllowed)) notFound();
  return companyIds;
}

async function checkNumbers(
  ctx: TxCtx,
  numberIds: readonly number[],
  companyIds: readonly number[],
): Promise<void> {
  if (!numberIds.length) return;
  // Without numbers of their own, the other companies would give all of theirs.
  if (companyIds.length > 1)
    invalid({ numbers: 'Numbers can only be chosen when you invite to one company.' });
  const own = new Set((await numbersOf(ctx.tx, ctx.companyId)).map((n) => n.id));
  if (!numberIds.every((id) => own.has(id)))
    invalid({ numbers: 'Choose numbers of this company.' });
}

/** Fails at the custom fields that are wrong, so that accepting can't. */
async function checkValues(ctx: TxCtx, { eavAttributeValues = [] }: InviteBody): Promise<void> {
  if (!eavAttributeValues.length) return;
  const { errors } = readValues(await fieldsFor(ctx, entityOf.user), eavAttributeValues);
  const paths = Object.entries(errors).map(([key, why]) => [`eavAttributeValues.${key}`, why]);
  if (paths.length) invalid(Object.fromEntries(paths) as Record<string, string>);
}

/** Fails when the person is in every company already. */
async function refuseMembers(
  ctx: TxCtx,
  body: InviteBody,
  companyIds: readonly number[],
): Promise<void> {
  const { email } = body;
  const roles = await rolesByEmail(ctx.db.unscoped, email, companyIds);
  if (roles.some((m) => m.role === 'deactivated')) fail('invitation.deactivated', { email });
  // A member can still become an administrator of the organization.
  if (roles.length === companyIds.length && !body.is_org_administrator)
    fail('invitation.already_member', { email });
}
