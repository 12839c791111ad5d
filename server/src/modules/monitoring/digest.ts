import type { Answer, Body, monitoring as contract } from '#contract';
import { organizationChanged } from '#contract/companies/organizations/events';
import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import { accessTo, grantIn, type Actor } from '../../platform/access.ts';
import { publishIn, type Ctx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { escapeHtml } from '../../platform/html.ts';
import { queueMail } from '../../platform/mail.ts';
import { organizationWithCompanies, personNow } from '../companies/index.ts';
import type { ListedAlert } from './store-lists.ts';
import {
  setDigest,
  takeDueDigests,
  wantsDigest,
  worthTelling,
  type DueDigest,
} from './store-digest.ts';

// The system role: administrators of organizations are above companies.

/** The hour of the day from which digests are sent. */
const digestHour = 8;
/** How many alerts an email lists; the others are counted. */
const mostListed = 25;
const dayMs = 86_400_000;

/** Every quarter of an hour: sends the digests of those whose morning it is. */
export async function mailDigests(ctx: Ctx): Promise<void> {
  const limit = { hour: digestHour, limit: 200 };
  // Each email's key names its day, so one that is queued twice is sent once.
  await ctx.db.systemTransaction(async (tx) => {
    for (const due of await takeDueDigests(tx, ctx.now, limit)) await mailDigest(ctx, tx, due);
  });
}

/** A member of a company is told of its alerts as they come; others only here. */
const isToldHereOnly = (actor: Actor, companyId: number): boolean => {
  const access = accessTo(actor, companyId);
  return (
    grantIn(access, 'monitoring.view') !== 'none' &&
    (access?.roles ?? []).every((role) => role === 'org-administrator' || role === 'platform')
  );
};

async function mailDigest(
  ctx: Ctx,
  tx: Parameters<typeof takeDueDigests>[0],
  due: DueDigest,
): Promise<void> {
  const actor = await personNow(ctx.db, due.userId);
  const found = await organizationWithCompanies(tx, due.organizationId);
  const companyIds = (found?.companyIds ?? []).filter((id) => actor && isToldHereOnly(actor, id));
  // A day that had no digest, as when the server was off, is made up.
  const since = due.since ?? new Date(ctx.now.getTime() - dayMs);
  const rows = companyIds.length ? await worthTelling(tx, companyIds, since) : [];
  const fresh = rows.filter(({ is_new }) => is_new);
  if (!fresh.length) return;
  const { publicUrl } = ctx.settings;
  const link = `${publicUrl}/organization/alerts`;
  const listed = fresh.slice(0, mostListed);
  const notListed = rows.length - listed.length;
  const rest =
    notListed === 0 ? '' : notListed === 1 ? 'One more is open.' : `${notListed} more are open.`;
  const foot = `You get this once a day as an administrator of ${due.organization}. To stop it, turn off the daily summary on the page of all alerts.`;
  await queueMail(
    ctx,
    {
      to: due.email,
      key: `alert-digest:${due.organizationId}:${due.userId}:${ctx.now.toISOString().slice(0, 10)}`,
      subject: `${due.organization}: ${fresh.length === 1 ? '1 new alert' : `${fresh.length} new alerts`}`,
      text: `${listed.map(lineOf).join('\n\n')}\n\n${rest && `${rest} `}Open all alerts: ${link}\n\n${foot}\n`,
      html: `${listed.map(htmlOf).join('')}<p>${rest} <a href="${link}">Open all alerts</a></p><p style="font-size:12px;color:#5b6270">${escapeHtml(foot)}</p>`,
    },
    tx,
  );
}

const titleOf = ({ kind, company_name: company }: ListedAlert): string =>
  `${company}: ${alertKinds[kind as AlertKind].title}`;
const lineOf = (row: ListedAlert): string =>
  `${titleOf(row)} (${row.subject_label})\n${row.message}`;
const htmlOf = (row: ListedAlert): string =>
  `<p><strong>${escapeHtml(titleOf(row))}</strong> (${escapeHtml(row.subject_label)})<br>${escapeHtml(row.message)}</p>`;

/** Whether the signed-in administrator gets the organization's digest. */
export async function getAlertDigest(ctx: Ctx): Promise<Answer<typeof contract.getAlertDigest>> {
  const on = await wantsDigest(ctx.db.unscoped, ctx.organizationId ?? 0, ctx.actor.userId);
  return { data: { on: on ?? null } };
}

/** Turns it on or off, for this administrator only; `not_found` for others. */
export async function updateAlertDigest(
  ctx: Ctx,
  { on }: Body<typeof contract.updateAlertDigest>,
): Promise<Answer<typeof contract.updateAlertDigest>> {
  const { userId } = ctx.actor;
  const organizationId = ctx.organizationId ?? 0;
  await ctx.db.systemTransaction(async (tx) => {
    if (!(await setDigest(tx, organizationId, userId, on))) notFound();
    await publishIn(tx, organizationChanged, { organizationId, userId }, { userId });
  });
  return { data: { on } };
}
