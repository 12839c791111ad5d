import { z } from 'zod';

export const MANIFEST = 'manifest.json';
export const FORMAT = 'trunkline-archive-2';
/** Names of entries: `tables/contact.jsonl`, `spreadsheets/calls.csv`, `files/81`. */
export const tablePath = (name: string): string => `tables/${name}.jsonl`;
export const spreadsheetPath = (name: string): string => `spreadsheets/${name}.csv`;
export const filePath = (id: number | string): string => `files/${id}`;

const count = z.number().int().nonnegative();
const identifier = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

/** What an archive holds and what it doesn't. `sha256` and `bytes` are of the uncompressed entry. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Tables of this version; an archive fits an installation with the same. */
  schema: z.string().max(100),
  created_at: z.iso.datetime(),
  company: z.object({ id: z.number().int().positive(), name: z.string(), slug: z.string() }),
  tables: z.record(identifier, z.object({ rows: count, columns: z.array(identifier) })),
  entries: z.record(
    z.string().regex(/^(tables|spreadsheets|files)\/[\w.-]{1,80}$/),
    z.object({ bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
  left_out: z.object({
    tables: z.record(z.string(), z.string()),
    columns: z.record(z.string(), z.string()),
    rows: z.record(z.string(), z.string()),
    /** Files whose bytes were missing here. */
    files: z.array(z.string()),
  }),
});
export type Manifest = z.infer<typeof manifestSchema>;
