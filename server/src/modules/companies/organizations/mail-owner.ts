import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { ownersOf } from '../store.ts';
import { organizationRow, type LockedCompany } from './store.ts';

/**
 * Mails a company's owner that it joined or left an organization. `company` is as it was before a
 * leave and before a join; the organization of a join is that of `ctx`.
 */
export async function mailOwner(
  ctx: Ctx,
  tx: Tx,
  company: LockedCompany,
  change: 'joined' | 'left',
): Promise<void> {
  const organizationId =
    change === 'joined' ? ctx.organizationId : (company.organization_id ?? ctx.organizationId);
  const organization = (await organizationRow(tx, organizationId))?.name ?? '';
  const subject =
    change === 'joined'
      ? `${company.name} is now part of ${organization}`
      : `${company.name} left ${organization}`;
  const text =
    change === 'joined'
      ? `${ctx.actor.name} put ${company.name} under the organization ${organization}. Its administrators can now do everything in the company that you can. You can take it out at any time, in the company settings. If you didn’t expect this, do so and change your password:`
      : `${ctx.actor.name} took ${company.name} out of the organization ${organization}. Its administrators no longer have access, except those with a role in the company itself:`;
  const link = `${ctx.settings.publicUrl}/settings/company`;
  for (const to of await ownersOf(tx, company.id))
    await queueMail(
      { ...ctx, companyId: company.id },
      {
        to,
        key: `organization:${company.id}:${organizationId}:${change}:${ctx.now.getTime()}`,
        subject,
        text: `${text}\n${link}`,
        html: `<p>${escapeHtml(text)}</p><p><a href="${link}">${escapeHtml(link)}</a></p>`,
      },
      tx,
    );
}
