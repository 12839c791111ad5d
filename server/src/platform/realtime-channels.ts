import { eventByName, type Channel, type Envelope } from '#contract';
import { accessTo, grantIn } from './access.ts';
import type { Actor } from './context.ts';
import { hiddenFromActor } from './masking/contact-details.ts';
import type { Hidden } from './masking/mask-text.ts';
import type { PublishedEvent } from './outbox-subscription.ts';

const CHANNEL = /^private-(conversations|bulk-purchase|companies|caddy|campaigns|users)\.(\d+)$/;
/** The permission that a channel needs; everyone who gets into a company has `company.view`. */
const requiredPermissions = {
  companies: 'company.view',
  conversations: 'inbox.view',
  'bulk-purchase': 'numbers.buy',
  campaigns: 'campaigns.view',
} as const;

/** What this person receives on a channel; null: nothing. `numbers: null`: events of all numbers. */
export function authorizeChannel(actor: Actor | null, channel: string): Subscription | null {
  const allowed = actor && channelFor(actor, channel);
  if (!allowed) return null;
  const ofCompany = allowed.kind === 'users' ? null : allowed.key;
  const refused = refusedEvents(actor, allowed);
  const closed = allowed.kind === 'users' ? closedTo(actor) : new Set<number>();
  return {
    ...allowed,
    refused,
    closed,
    hidden: (companyId) => hiddenFromActor(actor, companyId),
    isFiltered:
      allowed.numbers !== null ||
      refused.size > 0 ||
      closed.size > 0 ||
      hiddenFromActor(actor, ofCompany) !== null,
  };
}

/** Events of a company's channel whose own permission this person lacks. */
function refusedEvents(actor: Actor, { kind, key }: Allowed): ReadonlySet<string> {
  const access = kind === 'users' ? null : accessTo(actor, key);
  return new Set(
    [...eventByName.values()].flatMap(({ name, channel, permission }) =>
      channel === kind && permission && (!access || grantIn(access, permission) === 'none')
        ? [name]
        : [],
    ),
  );
}

/** Companies of a person that something keeps them out of. */
const closedTo = (actor: Actor): ReadonlySet<number> =>
  new Set(actor.memberships.flatMap((one) => (one.blockedBy ? [one.companyId] : [])));

type Allowed = Pick<Subscription, 'kind' | 'key' | 'numbers'>;
function channelFor(actor: Actor, channel: string): Allowed | null {
  const match = CHANNEL.exec(channel);
  if (!match) return null;
  const kind = match[1] as Channel;
  const key = Number(match[2]);
  if (kind === 'users') return actor.userId === key ? { kind, key, numbers: null } : null;
  if (kind === 'caddy') return actor.accountId === key ? { kind, key, numbers: null } : null;
  if (actor.accountId !== undefined) return null; // Caddy's accounts have no other channels.
  // Staff receive nothing of a company that they didn't open, which its owner would see.
  if (actor.adminMode && !actor.admin?.openedCompanyIds.includes(key)) return null;
  const access = accessTo(actor, key);
  if (!access || grantIn(access, requiredPermissions[kind]) === 'none') return null;
  const isLimited = access.numberIds.length > 0 && grantIn(access, 'inbox.view') !== 'all';
  return { kind, key, numbers: isLimited ? new Set(access.numberIds) : null };
}

export interface Subscription {
  kind: Channel;
  key: number;
  numbers: ReadonlySet<number> | null;
  /** Names of the events that they never receive. */
  refused: ReadonlySet<string>;
  /** Companies of which a person's own channel tells them nothing now. */
  closed: ReadonlySet<number>;
  /** What an event of this company must not show this person; null: it may show everything. */
  hidden: (companyId: number | null) => Hidden | null;
  /** False: they receive each event of the channel as it is. */
  isFiltered: boolean;
}
/** The channel on which an event is sent; null: none. */
export const channelOf = (p: PublishedEvent): string | null => {
  const kind = eventByName.get(p.event);
  if (!kind?.channel) return null;
  const key = kind.channel === 'users' || kind.channel === 'caddy' ? p.channelKey : p.companyId;
  return key === null ? null : `private-${kind.channel}.${key}`;
};
/**
 * A person limited to some numbers never receives events of another number, and no one those that
 * need a permission they lack, or of a company that keeps them out.
 */
export const canReceive = (subscription: Subscription, p: PublishedEvent): boolean =>
  !subscription.refused.has(p.event) &&
  (p.companyId === null || !subscription.closed.has(p.companyId)) &&
  (!subscription.numbers || p.numberId === null || subscription.numbers.has(p.numberId));
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const toBase32 = (n: number, length: number): string => {
  let text = '';
  for (let left = n; text.length < length; left = Math.floor(left / 32))
    text = base32[left % 32] + text;
  return text;
};
/**
 * The event's ULID (A27): its time in milliseconds, then its `seq` in place of random bits, so that
 * every process and every replay gives it the same one.
 */
const eventUlid = ({ at, seq }: Pick<PublishedEvent, 'at' | 'seq'>): string =>
  toBase32(at.getTime(), 10) + toBase32(seq, 16);
/** A published event as browsers receive it. */
export const toEnvelope = (p: PublishedEvent): Envelope => ({
  event: p.event,
  id: eventUlid(p),
  at: p.at.toISOString(),
  companyId: p.companyId,
  seq: p.seq,
  data: p.data,
});
