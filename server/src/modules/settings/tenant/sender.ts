import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Body, tenant as contract } from '#contract';
import { dnsCheckHours } from '#contract/settings/tenant/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import {
  checkRecords,
  isPublicMailbox,
  missingRecords,
  ownershipRecord,
  registrableDomain,
} from '../../../platform/dns-records.ts';
import { fail } from '../../../platform/errors.ts';
import { randomToken, seal } from '../../../platform/secrets.ts';
import { organizationWithCompanies } from '../../companies/index.ts';
import { publishTenantChanged, requireOrganization } from './organization.ts';
import { recordsOf } from './present.ts';
import { readTenant } from './read-tenant.ts';
import { dkim } from './rules.ts';
import { patchTenant, tenantById, tenantOf, upsertTenant, type TenantRow } from './store.ts';

// The system role: the tenant belongs to an organization, above its companies.

const makeKeyPair = promisify(generateKeyPair);

/** A DKIM key: the private one as PEM, the public one as DNS wants it. */
async function makeDkimKey(): Promise<{ privateKey: string; publicKey: string }> {
  const { privateKey, publicKey } = await makeKeyPair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey: publicKey.toString('base64') };
}

/**
 * Sets the address that the organization's mail comes from and checks its domain's DNS. The records
 * of a domain stay the same when it is set again. Fails with `tenant.public_mailbox` for addresses
 * at a mailbox provider and `tenant.no_organization`.
 */
export async function startSenderVerification(
  ctx: Ctx,
  { from_name, from_email }: Body<typeof contract.startSenderVerification>,
) {
  const organization = await requireOrganization(ctx);
  const [mailbox = '', domain = ''] = from_email.toLowerCase().split('@');
  if (isPublicMailbox(domain) || registrableDomain(domain) === null)
    fail('tenant.public_mailbox', { domain });
  const before = await tenantOf(ctx.db.unscoped, organization.id);
  const isSameDomain = before?.sender_email?.split('@')[1] === domain;
  const values = {
    sender_name: from_name,
    sender_email: `${mailbox}@${domain}`,
    sender_state: isSameDomain && before?.sender_state === 'verified' ? 'verified' : 'pending',
    sender_started_at: ctx.now,
    sender_error: null,
    ...(isSameDomain ? {} : await newRecords(ctx, domain)),
  };
  const row = await ctx.db.systemTransaction(async (tx) => {
    const changed = await upsertTenant(tx, organization.id, values, ctx.now);
    await audit({ ...ctx, tx }, 'tenant.sender_changed', `organization:${organization.id}`, {
      before: { from_name: before?.sender_name ?? null, from_email: before?.sender_email ?? null },
      after: { from_name, from_email: values.sender_email },
    });
    await publishTenantChanged(tx, organization);
    return changed;
  });
  await checkSender(ctx, row.id);
  return readTenant(ctx, organization);
}

async function newRecords(ctx: Ctx, domain: string) {
  const key = await makeDkimKey();
  const records = [ownershipRecord(domain, randomToken('v')), dkim.record(domain, key.publicKey)];
  return {
    dkim_key_sealed: seal(ctx.settings.appSecrets, key.privateKey),
    sender_records: JSON.stringify(records),
    sender_checked_at: null,
  };
}

/** Looks at a sender's DNS and stores its state. Nothing changes while no name server answers. */
export async function checkSender(
  ctx: Pick<Ctx, 'db' | 'gateways' | 'now'>,
  tenantId: number,
): Promise<void> {
  const row = await tenantById(ctx.db.unscoped, tenantId);
  if (!row || row.sender_state === 'not_started') return;
  const records = await checkRecords(ctx.gateways.dns, recordsOf(row.sender_records));
  const missing = records && missingRecords(records);
  await ctx.db.systemTransaction(async (tx) => {
    await patchTenant(tx, row.id, {
      sender_checked_at: ctx.now,
      ...(records && {
        sender_state: nextState(row, missing === null, ctx.now),
        sender_records: JSON.stringify(records),
        sender_error: missing,
      }),
    });
    const organization = await organizationWithCompanies(tx, row.organization_id);
    if (organization) await publishTenantChanged(tx, organization);
  });
}

/** A verified sender whose records are gone has failed; a pending one expires after 72 hours. */
function nextState(row: TenantRow, isComplete: boolean, now: Date): string {
  if (isComplete) return 'verified';
  if (row.sender_state === 'verified' || row.sender_state === 'failed') return 'failed';
  const startedAt = row.sender_started_at ?? now;
  const isOver = now.getTime() - startedAt.getTime() >= dnsCheckHours * 3_600_000;
  return isOver ? 'expired' : 'pending';
}
