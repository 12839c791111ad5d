import { randomUUID } from 'node:crypto';
import type { CaddyProvider } from '#contract/caddy/rules';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { setOnlyContact } from '../../billing/index.ts';
import { insertCompany, insertMembership } from '../../companies/index.ts';
import { createPerson, createSipCredentials } from '../../identity/index.ts';
import { addIdentity } from '../store-identities.ts';
import { insertAccount, type AccountRow } from '../store.ts';

/** What was proved, and how the account signs in from now on. */
interface Proven {
  provider: CaddyProvider;
  subject: string;
  email: string | null;
  phone: string | null;
  passwordHash: string | null;
  firstName?: string;
  lastName?: string;
}

/**
 * Opens an account: a company of its own kind with one person, who owns it. The person's address is one
 * that no mail reaches, because the account's is for Caddy alone and may be someone's of a company.
 * @throws ApiError `caddy.exists`
 */
export async function openAccount(
  ctx: Pick<Ctx, 'now' | 'settings'>,
  tx: Tx,
  proven: Proven,
): Promise<AccountRow> {
  const company = await insertCompany(tx, {
    ...{ name: 'Personal', kind: 'caddy', slug: `caddy-${randomUUID()}` },
    ...{ timezone: 'America/New_York', created_at: ctx.now },
  });
  const { provider, subject, firstName = '', lastName = '' } = proven;
  const at = { account_id: company.id, created_at: ctx.now };
  if (!(await addIdentity(tx, { provider, subject, ...at }))) fail('caddy.exists');
  const person = mustBe(
    await createPerson(tx, {
      email: `caddy-${randomUUID()}@individuals.invalid`,
      ...{ passwordHash: null, firstName, lastName, timezone: null, individual: true },
    }),
    'a person of their own',
  );
  const { hostname } = new URL(ctx.settings.publicUrl);
  await createSipCredentials(tx, ctx.settings.appSecrets, person, hostname);
  await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
  await setOnlyContact({ tx, companyId: company.id, now: ctx.now }, proven);
  return insertAccount(tx, {
    company_id: company.id,
    person_id: person.id,
    email: proven.email,
    email_verified_at: proven.email === null ? null : ctx.now,
    phone: proven.phone,
    phone_verified_at: proven.phone === null ? null : ctx.now,
    password_hash: proven.passwordHash,
    created_at: ctx.now,
    last_opened_at: ctx.now,
    updated_at: ctx.now,
  });
}
