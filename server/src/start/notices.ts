import pg from 'pg';
import { openDb, type Db } from '../platform/db.ts';
import { createLogger } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';

/** What the operator of a production server has to know, a sentence each. */
export function productionNotices(
  settings: Pick<
    Settings,
    'production' | 'publicUrl' | 'trustProxy' | 'canMail' | 'carriers' | 'faxCarrier' | 'backup'
  >,
): string[] {
  if (!settings.production) return [];
  return [
    ...(settings.canMail
      ? []
      : [
          'This server can’t send email: SMTP_URL is not set. Password resets, sign-up codes and notifications by email don’t work until it is.',
        ]),
    ...(settings.publicUrl.startsWith('https:') && settings.trustProxy.length === 0
      ? [
          'TRUST_PROXY is not set, so everyone behind the proxy in front of this server shares its address: one person’s wrong passwords can lock everyone out, request limits are shared, and sessions and signatures record the proxy. Name the proxy, for example TRUST_PROXY=loopback.',
        ]
      : []),
    ...(settings.backup.to
      ? []
      : [
          'No backups are made: BACKUP_TO is not set. Name a folder on another disk or s3://bucket/prefix (docs/backup.md).',
        ]),
    ...(settings.faxCarrier === 'none'
      ? ['This server can’t fax: FAX_CARRIER is not set. Sending a fax fails.']
      : []),
    ...(settings.faxCarrier === 'sandbox' && settings.carriers.some((name) => name !== 'sandbox')
      ? ['FAX_CARRIER=sandbox simulates faxes: they are shown as delivered but reach no one.']
      : []),
  ];
}

/**
 * How many mails of the last seven days could not be delivered, and the reason of the last one;
 * null when all were.
 */
export async function undeliveredMailNotice(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set role trunkline_system');
    const { rows } = await client.query<{ n: number; error: string }>(
      `select count(*)::int as n, (array_agg(error order by failed_at desc))[1] as error
        from mail_outbox where failed_at > now() - interval '7 days'`,
    );
    const { n, error } = rows[0]!; // An aggregate has one row.
    return n
      ? `${n === 1 ? 'One email' : `${n} emails`} of the last seven days could not be delivered. Latest reason: ${error}. See the table mail_outbox (failed_at is set).`
      : null;
  } finally {
    await client.end();
  }
}

/**
 * The one-time URL for the first owner of a production server that can't mail a code; null: not
 * needed.
 */
export async function createFirstOwnerLink(
  settings: Settings & { databaseUrl: string },
): Promise<string | null> {
  if (!settings.production || settings.canMail) return null;
  // Loaded only here: the supervisor needs nothing else of the product.
  const { createFirstOwnerLink: makeFirstOwnerLink } = await import('../modules/identity/index.ts');
  return withDatabase(settings.databaseUrl, (db) =>
    makeFirstOwnerLink({ db, settings, now: () => new Date() }),
  );
}

/** What is said of the link for the first owner. */
export const ownerNotice = (link: string): string =>
  `No one has an account yet, and codes can’t be emailed. The first owner signs up here, once, within 24 hours: ${link}`;

/**
 * The sentence with the one-time URL at which an operator makes the first account of platform staff;
 * null: there is one. The demo has one from the start.
 */
export async function setupNotice(
  settings: Settings & { databaseUrl: string },
): Promise<string | null> {
  if (settings.demo) return null;
  // Loaded only here, as above.
  const { createSetupLink } = await import('../modules/identity/index.ts');
  const link = await withDatabase(settings.databaseUrl, (db) =>
    createSetupLink({ db, settings, now: () => new Date() }),
  );
  return (
    link && `No one operates this installation yet. Set it up here, once, within 24 hours: ${link}`
  );
}

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb(url, createLogger('silent', 'start'), { size: 1, process: 'start' });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * Problems with our accounts at real carriers, a sentence each. Never throws; makes requests only
 * when a carrier is configured.
 */
export async function accountNotices(settings: Settings): Promise<string[]> {
  // Loaded only here, as above.
  const { checkAccountsBySettings } = await import('../adapters/check-accounts.ts');
  return (await checkAccountsBySettings(settings, createLogger('silent', 'start'))).flatMap(
    ({ sentence }) => sentence ?? [],
  );
}
