import { z } from 'zod';
import { instant } from '../../schemas.ts';
import { companyImportStates, recordKinds } from './rules.ts';

const count = z.number().int().nonnegative();
const person = z.object({ id: z.number(), name: z.string() });

const report = z.object({
  company: z.object({ id: z.number(), name: z.string(), slug: z.string() }),
  written_at: instant.meta({ description: 'When the archive was written' }),
  sha256: z
    .string()
    .meta({ description: 'Of the file; the audit log of where it was written has it, too' }),
  counts: z.array(z.object({ kind: z.enum(recordKinds), rows: count })),
  rows: count,
  files: count,
  missing_files: count.meta({ description: 'Files whose bytes were missing where it was written' }),
  new_people: count.meta({ description: 'People who get an account, without a password' }),
  known_people: count.meta({ description: 'People who have an account here already' }),
  disabled_people: count.meta({ description: 'New people whose account is and stays disabled' }),
  erased_numbers: count.meta({
    description: 'Numbers of people who were erased here since it was written: erased again',
  }),
  erased_accounts: count.meta({
    description: 'People whose account was erased here since it was written: erased again',
  }),
  waiting: z.object({
    campaigns: count.meta({ description: 'Campaigns that will be sent from here' }),
    scheduled: count.meta({ description: 'Scheduled texts that will be sent from here' }),
    overdue: count.meta({ description: 'Scheduled texts whose time is over; they aren’t sent' }),
  }),
});

export const companyImport = z.object({
  id: z.number(),
  file: z.object({ name: z.string(), bytes: count }),
  state: z.enum(companyImportStates).meta({
    description:
      '`ready`: checked by a dry run, nothing was changed. `refused`: `reasons` say why. `failed`: `failure` says what to do',
  }),
  received_bytes: count,
  part_bytes: count.meta({ description: 'The largest part that can be uploaded at once' }),
  progress: z.number().int().min(0).max(100).meta({ description: 'Of the check or the import' }),
  report: report.nullable().meta({ description: 'What is in it; null until it was checked' }),
  reasons: z.array(z.string()),
  failure: z.string().nullable(),
  has_file: z.boolean().meta({ description: 'The uploaded bytes are still there' }),
  created_by: person,
  imported_by: person.nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
  delete_at: instant
    .nullable()
    .meta({ description: 'When the uploaded file is deleted; null: it was' }),
});
export type CompanyImport = z.infer<typeof companyImport>;
