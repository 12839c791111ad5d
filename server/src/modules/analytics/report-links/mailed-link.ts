import type { Ctx } from '../../../platform/context.ts';
import { madeWithOneOf, sign } from '../../../platform/secrets.ts';
import type { Range } from '../query/question.ts';
import { mailedFavorite } from './store.ts';

// The system role: a link names no company.

const DAY_MS = 86_400_000;
/** How long the link of an email works after the days that it is about. */
export const mailedLinkDays = 31;

/**
 * Opens what an email of a report has, without an account: the same days of the same favorite. Signed
 * with the address that it was sent to, which it doesn't say.
 */
export const viewToken = (
  secret: Buffer,
  { companyId, id }: { companyId: number; id: number },
  { start, end }: Range,
  address: string,
): string => {
  const named = `mail-${companyId}-${id}-${[start, end].map((day) => day.replaceAll('-', '')).join('-')}`;
  return `${named}-${sign(secret, `${named}:${address.toLowerCase()}`)}`;
};

/**
 * What the link of an email opens, and its days. Undefined: it isn't one, its days are long over, or
 * its address no longer gets the report.
 */
export async function openMailedLink(
  { db, now, settings }: Pick<Ctx, 'db' | 'now' | 'settings'>,
  token: string,
) {
  const [, companyId, id, from = '', to = ''] =
    /^mail-(\d{1,16})-(\d{1,16})-(\d{8})-(\d{8})-/.exec(token) ?? [];
  const named = { companyId: Number(companyId), id: Number(id) };
  const range = { start: dayOf(from), end: dayOf(to) };
  const expiresAt = new Date(Date.parse(range.end) + (mailedLinkDays + 1) * DAY_MS);
  // Also where it is no date.
  if (!(expiresAt > now)) return undefined;
  const found = await mailedFavorite(db.unscoped, named, { expiresAt, now });
  const isTheirs = (address: string): boolean =>
    madeWithOneOf(settings.appSecrets, token, (secret) => viewToken(secret, named, range, address));
  return found?.recipients.some(isTheirs) ? { ...found, range } : undefined;
}

const dayOf = (text: string): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
