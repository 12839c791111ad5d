import type { Body, sso as contract } from '#contract';
import { mostSsoDomains } from '#contract/companies/sso/rules';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  checkRecords,
  isPublicMailbox,
  ownershipRecord,
  registrableDomain,
} from '../../../platform/dns-records.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { randomToken } from '../../../platform/secrets.ts';
import {
  auditEverywhere,
  changeOrganization,
  publishOrganization,
} from '../organizations/in-organization.ts';
import { administratorsOf, organizationRow } from '../organizations/store.ts';
import { endOfProof, getSso } from './connection.ts';
import { followRequirement } from './describe-only.ts';
import { mailAdministrators } from './mail-administrators.ts';
import {
  deleteDomain,
  domainRow,
  domainsOf,
  dueDomains,
  insertDomain,
  patchDomain,
  proverOf,
  type DomainRow,
} from './store.ts';

// The system role: single sign-on is of organizations, above companies; dispatch has checked that the
// actor administers this one.

const hostname = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Adds a domain, to be proven. Fails with `sso.domain_taken` or `sso.too_many_domains`. */
export async function addSsoDomain(ctx: Ctx, { domain }: Body<typeof contract.addSsoDomain>) {
  if (!hostname.test(domain) || registrableDomain(domain) === null)
    invalid({ domain: 'Enter the part of your email addresses after the @, such as example.com.' });
  if (isPublicMailbox(domain))
    invalid({
      domain: `${domain} belongs to everyone who has a mailbox there. Enter your own domain.`,
    });
  await changeOrganization(ctx, async (tx, { id }) => {
    const prover = await proverOf(tx, domain);
    if (prover && prover.organization_id !== id) fail('sso.domain_taken', { domain });
    if ((await domainsOf(tx, id)).length >= mostSsoDomains)
      fail('sso.too_many_domains', { most: mostSsoDomains });
    const row = { organization_id: id, domain, token: randomToken('v'), created_at: ctx.now };
    if (await insertDomain(tx, row))
      await auditEverywhere(ctx, tx, 'sso.domain_added', `organization:${id}`, {
        after: { domain },
      });
  });
  return getSso(ctx);
}

/** Looks for a domain's record now. Fails with `sso.domain_taken`; 404 for none of this name. */
export async function checkSsoDomain(ctx: Ctx, domain: string) {
  const row = (await domainRow(ctx.db.unscoped, ctx.organizationId, domain)) ?? notFound();
  if ((await checkDomain(ctx, row)) === 'taken') fail('sso.domain_taken', { domain });
  return getSso(ctx);
}

/** Removes a domain; 404: there is none of this name. */
export const removeSsoDomain = (ctx: Ctx, domain: string): Promise<void> =>
  changeOrganization(ctx, async (tx, { id }) => {
    const row = (await deleteDomain(tx, id, domain)) ?? notFound();
    await auditEverywhere(ctx, tx, 'sso.domain_removed', `organization:${id}`, {
      before: { domain, was_proven: row.proven_at !== null },
    });
    await followRequirement(tx, id, [domain]);
  });

/** Job: looks for the records that are due. */
export async function checkDueDomains(ctx: Ctx): Promise<void> {
  for (const row of await dueDomains(ctx.db.unscoped, ctx.now)) await checkDomain(ctx, row);
}

/**
 * Looks for a domain's record and stores what that means. A record that is gone is waited for: DNS is
 * moved and mistyped, and the organization's people would be locked out at once.
 * @returns `taken` when another organization has proven the domain
 */
async function checkDomain(ctx: Ctx, { organization_id, domain, token }: DomainRow) {
  const records = await checkRecords(ctx.gateways.dns, [ownershipRecord(domain, token)]);
  try {
    return await ctx.db.systemTransaction(async (tx) => {
      // Locked, so that checks of one organization follow each other.
      const organization = await organizationRow(tx, organization_id, true);
      const row = organization && (await domainRow(tx, organization_id, domain));
      // Removed meanwhile, or added anew with another token.
      if (!organization || row?.token !== token) return 'gone';
      const change = records && changeOf(row, records[0]?.ok === true, ctx.now);
      await patchDomain(tx, row, { checked_at: ctx.now, ...change?.values });
      if (change?.means)
        await tell(
          { ...ctx, organizationId: organization_id },
          tx,
          organization,
          domain,
          change.means,
        );
      await publishOrganization(tx, organization_id, await administratorsOf(tx, organization_id));
      return 'checked';
    });
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error;
    await ctx.db.systemTransaction((tx) =>
      patchDomain(tx, { organization_id, domain }, { checked_at: ctx.now }),
    );
    return 'taken';
  }
}

type Meaning = 'proven' | 'missing' | 'lost';

/** What a look at the record changes; null: nothing. */
function changeOf(row: DomainRow, isThere: boolean, now: Date) {
  const isProven = row.proven_at !== null;
  if (isThere)
    return {
      values: { missing_since: null, ...(!isProven && { proven_at: now }) },
      means: isProven ? null : ('proven' as Meaning),
    };
  if (!isProven) return null;
  if (row.missing_since === null)
    return { values: { missing_since: now }, means: 'missing' as Meaning };
  if (endOfProof(row.missing_since) > now) return null;
  return { values: { proven_at: null, missing_since: null }, means: 'lost' as Meaning };
}

/** Writes into the logs what became of a domain, and mails the administrators what they must do. */
async function tell(
  ctx: Ctx,
  tx: Tx,
  organization: { id: number; name: string },
  domain: string,
  means: Meaning,
): Promise<void> {
  if (means !== 'missing')
    await auditEverywhere(ctx, tx, `sso.domain_${means}`, `organization:${organization.id}`, {
      after: { domain },
    });
  if (means !== 'missing') await followRequirement(tx, organization.id, [domain]);
  if (means === 'proven') return;
  const key = `sso:${organization.id}:${domain}:${means}:${ctx.now.getTime()}`;
  await mailAdministrators(ctx, tx, organization, {
    key,
    ...(means === 'missing'
      ? {
          subject: `The DNS record of ${domain} is missing`,
          text: `We can’t find the TXT record that proves ${domain} for ${organization.name}. Unless it is back within three days, people with such an address can no longer sign in through single sign-on. The record is shown here:`,
        }
      : {
          subject: `${domain} is no longer proven`,
          text: `The TXT record of ${domain} has been missing for three days. People with such an address can no longer sign in through the single sign-on of ${organization.name}, and sign in as before. Create the record again:`,
        }),
  });
}
