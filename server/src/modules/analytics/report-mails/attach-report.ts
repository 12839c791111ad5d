import { callReportColumns } from '#contract/analytics/call-analytics/rules';
import { mostMailedRows } from '#contract/analytics/favorites/rules';
import type { Ctx } from '../../../platform/context.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import { countText } from '../mail-parts.ts';
import { hideIn, type GatheredReport } from '../report-files/gather-report.ts';
import { writeCsv, writePdf } from '../report-files/write-files.ts';
import { MOST_PDF_ROWS } from '../report-files/write-document.ts';
import type { DueReport } from './store.ts';

export interface AttachedReport {
  /** What the email says about its file; empty: there is none. */
  sentence: string;
  attachments: { name: string; contentType: string; bytes: Buffer }[];
}
const nothing: AttachedReport = { sentence: '', attachments: [] };

/**
 * The file for each reader, without the contact details that they may not see: those are hidden in
 * an email's words only, not in its files. Written once for all who see the same. An email goes
 * without its file, and says so, where it can't be written.
 */
export function reportAttacher(
  ctx: Ctx,
  due: Pick<DueReport, 'companyId' | 'id' | 'name' | 'today' | 'attach'>,
  report: GatheredReport,
): (reader: string) => Promise<AttachedReport> {
  const written = new Map<string, Promise<AttachedReport>>();
  return async (reader) => {
    if (due.attach === 'none') return nothing;
    const hidden = await hiddenFromReader(ctx, report, reader);
    const key = JSON.stringify(hidden);
    const known = written.get(key);
    if (known) return known;
    const file = hideIn(ctx, report, hidden)
      .then((seen) => attach(due, seen))
      .catch((error: unknown): AttachedReport => {
        ctx.log.error({ err: error, favorite: due.id }, 'a report was emailed without its file');
        return {
          sentence: 'The file couldn’t be created this time. Export the report to get it.',
          attachments: [],
        };
      });
    written.set(key, file);
    return file;
  };
}

/** What is hidden from a reader in any of a report's companies; null: nothing. */
export async function hiddenFromReader(
  { contactDetails, db }: Ctx,
  { companyIds }: GatheredReport,
  reader: string,
): Promise<Hidden | null> {
  const found: Hidden[] = [];
  for (const id of companyIds) {
    const hidden = await contactDetails.hiddenFromPerson(db, id, reader);
    if (hidden) found.push(hidden);
  }
  return found.length ? { numbers: found.some(({ numbers }) => numbers) } : null;
}

async function attach(
  { name, today, attach: kind }: Pick<DueReport, 'name' | 'today' | 'attach'>,
  report: GatheredReport,
): Promise<AttachedReport> {
  const most = kind === 'pdf' ? MOST_PDF_ROWS : mostMailedRows;
  const total = report.rows.length;
  const what = kind === 'pdf' ? 'PDF' : 'CSV file';
  const bytes =
    kind === 'pdf'
      ? await writePdf(report, name)
      : await writeCsv(report, callReportColumns, mostMailedRows);
  return {
    sentence:
      total > most
        ? `The attached ${what} has the first ${countText(most)} of ${countText(total)} rows. Export the report to get all of them.`
        : `The report is attached as a ${what}.`,
    attachments: [
      {
        name: `${fileName(name)}-${today}.${kind}`,
        contentType: kind === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8',
        bytes,
      },
    ],
  };
}

/** A favorite's name as a file's: letters and digits of any script. */
const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '') || 'report';
