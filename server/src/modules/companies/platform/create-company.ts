import type { Answer, Body, platform as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import {
  createPasswordLink,
  createPerson,
  createSipCredentials,
  type PersonRow,
} from '../../identity/index.ts';
import { insertCompany, insertMembership } from '../store.ts';
import { requireZone } from '../write.ts';

// The system role: creates a company.

/**
 * Adds a company with an owner, who has no password yet and is mailed a link to set one. Where this
 * server can't send email the link is in the answer, for staff to hand on. Fails with `email.taken`:
 * who has an account adds a company in it.
 */
export async function createPlatformCompany(
  ctx: Ctx,
  { name, owner, ...body }: Body<typeof contract.createPlatformCompany>,
): Promise<Answer<typeof contract.createPlatformCompany>> {
  const timezone = body.timezone === undefined ? null : requireZone(body.timezone);
  return ctx.db.systemTransaction(async (tx) => {
    const person =
      (await createPerson(tx, {
        email: owner.email,
        passwordHash: null,
        firstName: owner.first_name,
        lastName: owner.last_name ?? '',
        timezone,
      })) ?? fail('email.taken');
    const host = new URL(ctx.settings.publicUrl).hostname;
    await createSipCredentials(tx, ctx.settings.appSecrets, person, host);
    const company = await insertCompany(tx, {
      name,
      ...(timezone !== null && { timezone }),
      created_at: ctx.now,
    });
    await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
    // The row that a change of staff leaves in a company, which there was none of before.
    await audit(
      { ...ctx, tx, companyId: company.id },
      'admin.acted',
      'request:createPlatformCompany',
    );
    const { link, expiresAt } = await mailLink(ctx, tx, name, person);
    return {
      data: {
        id: company.id,
        name,
        owner: { id: person.id, email: person.email },
        link: ctx.settings.canMail ? null : link,
        expires_at: expiresAt.toISOString(),
      },
    };
  });
}

async function mailLink(ctx: Ctx, tx: Tx, company: string, person: PersonRow) {
  const { link, codeId, expiresAt } = await createPasswordLink(ctx, tx, person);
  const about = `You’re the owner of ${company} on Trunkline, business phone and messaging.`;
  const rule = 'The link works once and expires in 7 days.';
  await queueMail(
    ctx,
    {
      to: person.email,
      subject: `Set up ${company} on Trunkline`,
      text: `Hello ${person.first_name},\n\n${about} Set your password to sign in:\n${link}\n\n${rule}`,
      html: `<p>Hello ${escapeHtml(person.first_name)},</p><p>${escapeHtml(about)} <a href="${link}">Set your password</a> to sign in.</p><p>${rule}</p>`,
      key: `reset:${codeId}`,
      expiresAt,
      urgent: true,
    },
    tx,
  );
  return { link, expiresAt };
}
