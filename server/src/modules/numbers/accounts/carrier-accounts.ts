import { carriers as contract, type Answer } from '#contract';
import { publishIn, type Ctx, type Services } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { checkAccounts, isWorking, type AccountState } from '../../../gateways/carrier-accounts.ts';
import type { Carrier } from '../../../gateways/carrier.ts';
import {
  accountRows,
  allCompanyIds,
  numbersByProvider,
  upsertAccount,
  type AccountRow,
} from './store.ts';

// The system role: the installation itself: health, and our accounts at carriers.

type CarrierCheckServices = Pick<Services, 'db' | 'log' | 'gateways'>;
/** A manual check this soon after the last one doesn't ask the carriers again. */
const minIntervalMs = 5000;

/**
 * Asks each carrier for the status of our account and stores it. Publishes a changed status to
 * every company, and after a manual check also an unchanged one, because conversations and
 * campaigns retry what waits for a carrier on that event. A carrier's failure never throws.
 */
export async function checkCarrierAccounts(
  services: CarrierCheckServices,
  now: Date,
  byHand = false,
): Promise<AccountState[]> {
  const accounts = await checkAccounts(services.gateways.carriers.all);
  for (const account of accounts) {
    if (account.state !== 'ok')
      services.log.warn(
        { carrier: account.carrier, state: account.state },
        account.sentence ?? account.state,
      );
    await services.db.systemTransaction(async (tx) => {
      const before = await upsertAccount(tx, account, now);
      if (byHand || (before ?? 'ok') !== account.state) await publishAccountChanged(tx, account);
    });
  }
  return accounts;
}

async function publishAccountChanged(tx: Tx, { name, state }: AccountState): Promise<void> {
  for (const companyId of await allCompanyIds(tx)) {
    await publishIn(
      tx,
      contract.carrierAccountChanged,
      { companyId, carrier: name, state, working: isWorking(state) },
      { companyId },
    );
  }
}

/** GET /carriers: the status of our account at each carrier. */
export async function listCarriers(ctx: Ctx): Promise<Answer<typeof contract.listCarriers>> {
  const rows = new Map((await accountRows(ctx.db.unscoped)).map((row) => [row.carrier, row]));
  return {
    data: ctx.gateways.carriers.all.map((carrier) =>
      presentAccount(carrier, rows.get(carrier.name)),
    ),
  };
}

/** GET /admin/carriers: each carrier with what it carries. */
export async function listPlatformCarriers(
  ctx: Ctx,
): Promise<Answer<typeof contract.listPlatformCarriers>> {
  const held = (await numbersByProvider(ctx.db.unscoped)).map((group) => ({
    ...group,
    carrier: ctx.gateways.carriers.forNumber({
      providerId: group.provider,
      providerRef: group.ref,
    })?.name,
  }));
  return {
    data: (await listCarriers(ctx)).data.map((account) => {
      const own = held.filter(({ carrier }) => carrier === account.name);
      return {
        ...account,
        numbers: own.reduce((sum, { numbers }) => sum + numbers, 0),
        companies: new Set(own.flatMap(({ companies }) => companies)).size,
      };
    }),
  };
}

/** POST /carriers/check: asks the carriers again, unless that was done within the last 5 s. */
export async function checkCarriers(ctx: Ctx): Promise<Answer<typeof contract.checkCarriers>> {
  const lastCheckedAt = Math.max(
    0,
    ...(await accountRows(ctx.db.unscoped)).map((row) => row.checked_at.getTime()),
  );
  if (ctx.now.getTime() - lastCheckedAt >= minIntervalMs)
    await checkCarrierAccounts(ctx, ctx.now, true);
  return listCarriers(ctx);
}

function presentAccount(
  { name, label, checkAccount }: Carrier,
  row: AccountRow | undefined,
): contract.CarrierAccount {
  const none = { since: null, checked_at: null, last_worked_at: null };
  if (name === 'sandbox') return { name, label, state: 'simulated', sentence: null, ...none };
  if (!row || !checkAccount)
    return {
      name,
      label,
      state: 'unchecked',
      sentence: checkAccount ? null : `The account at ${label} can’t be checked.`,
      ...none,
    };
  return {
    name,
    label,
    state: row.state as AccountState['state'],
    since: row.since.toISOString(),
    checked_at: row.checked_at.toISOString(),
    last_worked_at: row.last_worked_at?.toISOString() ?? null,
    // The cause is only in the log, for the operator.
    sentence:
      row.state === 'unreachable'
        ? `${label} didn’t respond. Texts through it wait and are retried. If this continues, an operator must check the server’s internet connection.`
        : row.sentence,
  };
}
