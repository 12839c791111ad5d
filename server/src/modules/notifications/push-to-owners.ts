import type { EventData } from '#contract';
import type { ssoEmergencyUsed } from '#contract/identity/external-sign-in/events';
import type { Ctx } from '../../platform/context.ts';
import { emergencyNotice, organizationWithCompanies } from '../companies/index.ts';
import { pushTo } from './push.ts';

// The system role: single sign-on is of organizations, and a person’s devices are the same everywhere.

/** The other owners see on their devices that one has signed in past single sign-on. */
export async function pushToOwners(
  ctx: Ctx,
  used: EventData<typeof ssoEmergencyUsed>,
): Promise<void> {
  const notice = await emergencyNotice(ctx.db, used);
  const organization = await organizationWithCompanies(ctx.db.unscoped, used.organizationId);
  const companyId = organization?.companyIds[0];
  if (!notice || companyId === undefined) return;
  const { userIds, title, body } = notice;
  const key = `sso-emergency:${used.organizationId}:${used.userId}:${used.at}`;
  await ctx.actingIn(companyId, ['platform']).transaction((t) =>
    pushTo(
      t,
      userIds,
      ['web'],
      {
        ...{ kind: 'news', title, body, url: '/settings/audit-log', tag: key },
        ...{ data: { companyId }, ttlSeconds: 86_400 },
      },
      key,
    ),
  );
}
