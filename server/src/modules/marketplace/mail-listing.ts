import { formatPhone } from '#contract';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { escapeHtml } from '../../platform/html.ts';
import { ownersOf } from '../companies/index.ts';
import type { ListingRecord } from './store.ts';
import { mailListingJob } from './job-kinds.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

interface ListingMail {
  /** Null: the owners of `companyId`. */
  to: string | null;
  companyId: number;
  subject: string;
  parts: readonly string[];
  /** Path of the screen the mail leads to. */
  path: string;
}

/** The number as mails name it: what it spells, or its digits. */
export const listingName = (row: Pick<ListingRecord, 'number' | 'vanity_text'>): string =>
  row.vanity_text ? `${row.vanity_text} (${formatPhone(row.number)})` : formatPhone(row.number);
/** A day as mails write it: "March 5, 2027". */
export const formatDay = (at: Date): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(at);

/** Mails the lister's contact address, or else its owners, once this transaction commits. */
export const mailLister = (
  t: TxCtx,
  row: ListingRecord,
  subject: string,
  parts: readonly string[],
): Promise<void> =>
  enqueueMail(t, {
    to: row.contact_email,
    companyId: row.company_id,
    subject,
    parts,
    path: `/marketplace/${row.id}`,
  });

/** Mails the person who made an offer. */
export const mailBuyer = (
  t: TxCtx,
  row: ListingRecord,
  other: { to: string; companyId: number },
  subject: string,
  parts: readonly string[],
): Promise<void> => enqueueMail(t, { ...other, subject, parts, path: `/marketplace/${row.id}` });

/**
 * Mails the owners of the company that has the number. It links to their numbers: they don't see
 * the listing.
 */
export const mailLessee = (
  t: TxCtx,
  row: ListingRecord,
  companyId: number,
  subject: string,
  parts: readonly string[],
): Promise<void> =>
  enqueueMail(t, {
    to: null,
    companyId,
    subject,
    parts,
    path: `/numbers?search=${encodeURIComponent(row.number)}`,
  });

const enqueueMail = (t: TxCtx, mail: ListingMail): Promise<void> =>
  t.enqueue(mailListingJob, { ...mail, parts: [...mail.parts] });

/** Runs as a job: owners are looked up when the mail is written, so people who left get none. */
export async function mailListing(ctx: Ctx, m: ListingMail): Promise<void> {
  const link = `${ctx.settings.publicUrl}${m.path}`;
  const html = [
    ...m.parts.map((p) => `<p>${escapeHtml(p)}</p>`),
    `<p><a href="${link}">Open listing</a></p>`,
  ].join('');
  for (const to of m.to ? [m.to] : await ownersOf(ctx.db.unscoped, m.companyId)) {
    await queueMail(ctx, { to, subject: m.subject, text: [...m.parts, link].join('\n\n'), html });
  }
}
