import { z } from 'zod';

const count = z.int().min(0);

/** A part of a backup, as it is stored (encrypted). */
const part = z.object({
  name: z.enum(['database', 'files', 'secrets']),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * What a backup holds, written last: a backup without one is unfinished. It isn't encrypted and
 * holds nothing of customers but counts.
 */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** Of Trunkline. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  database: z.object({
    /** `files`: of a server in DATA_DIR. `dump`: of the operator's own, by `pg_dump`. */
    kind: z.enum(['files', 'dump']),
    /** Major version of PostgreSQL. */
    postgres: count,
    /** Such as linux-x64. Files of a server only run on the platform they were made on. */
    platform: z.string(),
  }),
  migrations: z.array(z.string()).min(1),
  /** Rows of three tables that people know, for lists of backups. */
  totals: z.object({ companies: count, calls: count, inboxItems: count }),
  /**
   * Rows that are a minute older than the backup, by table: the least and the most there were when it
   * began and when it ended. A copy has a number between the two.
   */
  rows: z.record(z.string(), z.tuple([count, count])),
  /**
   * Null: they are in S3 and not in the backup. `deleted`: how many the product deleted meanwhile, of
   * which the copy of the database still knows.
   */
  files: z.object({ count, bytes: count, deleted: count }).nullable(),
  parts: z.array(part).min(2),
});

export type Manifest = z.output<typeof manifestSchema>;
export type PartName = Manifest['parts'][number]['name'];

/** What the part `secrets` holds, which the passphrase opens. */
export const secretsSchema = z.object({
  /** Opens the other parts. */
  key: z.string(),
  appSecret: z.string(),
  /** Values of APP_SECRET before that, newest first. */
  previous: z.array(z.string()),
  mediaSecret: z.string(),
  /** Of the server in DATA_DIR; null: the database is the operator's own. */
  postgresPassword: z.string().nullable(),
});
