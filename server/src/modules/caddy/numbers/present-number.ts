import { formatPhone, isTollFree, type Answer, type caddy as contract } from '#contract';
import { tierOf } from '#contract/caddy/rules';
import type { HeldNumber, Reservation } from '../../numbers/index.ts';

type CaddyNumber = Answer<typeof contract.listCaddyNumbers>['data'][number];
type Listed = Answer<typeof contract.searchCaddyCatalog>['data'][number];

/** When a number was last called or texted with, in ms since 1970; null: never. */
export const lastUseOf = ({ last_call_at: call, last_message_at: text }: HeldNumber) => {
  const uses = [call, text].flatMap((at) => (at ? [new Date(at).getTime()] : []));
  return uses.length ? Math.max(...uses) : null;
};

/** A number of the account's. */
export const presentNumber = (row: HeldNumber): CaddyNumber => {
  const lastUse = lastUseOf(row);
  return {
    id: row.id,
    number: row.number,
    formatted: formatPhone(row.number),
    label: row.label,
    isActive: row.status === 'active',
    willBeRemovedAt: row.returns_at ? new Date(row.returns_at).toISOString() : null,
    createdAt: new Date(row.purchased_at).toISOString(),
    lastUsedAt: lastUse === null ? null : new Date(lastUse).toISOString(),
    unread: row.unread,
  };
};

/** A free number as the catalogue shows it. */
export const presentListed = ({ number, found, expires_at }: Reservation): Listed => ({
  number,
  formatted: formatPhone(number),
  region: found.region,
  tier: tierOf(number, isTollFree(number)),
  reservedUntil: new Date(expires_at).toISOString(),
});
