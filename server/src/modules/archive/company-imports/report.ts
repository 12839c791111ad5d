import type { RecordKind } from '#contract/archive/company-imports/rules';
import { recordKinds } from '#contract/archive/company-imports/rules';
import type { CompanyImport } from '#contract/archive/company-imports/schemas';
import type { ImportedArchive } from '../reading/import-archive.ts';

export type ImportReport = NonNullable<CompanyImport['report']>;

const tableKinds: Readonly<Record<string, RecordKind>> = {
  membership: 'users',
  number: 'numbers',
  contact: 'contacts',
  call: 'calls',
  conversation: 'conversations',
  conversation_item: 'messages',
  fax: 'faxes',
  campaign: 'campaigns',
};

/** What staff read of an archive before and after its import. */
export function reportOf(found: ImportedArchive, sha256: string): ImportReport {
  const counts = new Map<RecordKind, number>();
  for (const [table, rows] of Object.entries(found.counts)) {
    const kind = tableKinds[table] ?? 'other';
    counts.set(kind, (counts.get(kind) ?? 0) + rows);
  }
  return {
    company: found.company,
    written_at: found.writtenAt,
    sha256,
    counts: recordKinds.flatMap((kind) => {
      const rows = counts.get(kind);
      return rows ? [{ kind, rows }] : [];
    }),
    rows: found.rows,
    files: found.files,
    missing_files: found.missingFiles,
    new_people: found.newPeople,
    known_people: found.knownPeople,
    disabled_people: found.disabledPeople,
    erased_numbers: found.erasedNumbers,
    erased_accounts: found.erasedAccounts,
    waiting: found.waiting,
  };
}
