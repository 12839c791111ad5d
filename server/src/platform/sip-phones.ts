import { sql } from 'kysely';
import type { Db } from './db.ts';

// The system role: a phone takes calls of all of its person's companies.

/** A SIP phone at one of our exchanges, as the others know it. */
export interface SipPhone {
  device: string;
  /** Its SIP user. */
  user: string;
  userId: number;
  companies: number[];
  contact: string;
  /** The path to it there: unique by `flow`. */
  flow: string;
  transport: 'UDP' | 'TCP' | 'TLS' | 'WS' | 'WSS';
  address: string;
  port: number;
  /** The exchange's address on that path, `host:port`. */
  reachedAt: string;
}

/** `url`: where its exchange is reached. */
export type SipPhoneElsewhere = SipPhone & { url: string };

/** Stores that a phone is registered at an exchange until then, in ms since 1970. */
export async function addSipPhone(
  db: Db,
  exchange: string,
  phone: SipPhone,
  untilMs: number,
): Promise<void> {
  await sql`insert into sip_phone (exchange, device, phone, expires_at)
    values (${exchange}, ${phone.device}, ${JSON.stringify(phone)}, ${new Date(untilMs)})
    on conflict (exchange, device)
      do update set phone = excluded.phone, expires_at = excluded.expires_at`.execute(db.unscoped);
}

/** The phone is registered there no longer. */
export async function removeSipPhone(db: Db, exchange: string, device: string): Promise<void> {
  await sql`delete from sip_phone where exchange = ${exchange} and device = ${device}`.execute(
    db.unscoped,
  );
}

/** The phones that are registered at other exchanges that run. */
export async function sipPhonesElsewhere(db: Db, exchange: string): Promise<SipPhoneElsewhere[]> {
  const { rows } = await sql<{ phone: SipPhone; url: string }>`
    select p.phone, e.url from sip_phone p
      join exchange e on e.id = p.exchange and e.ended_at is null
      where p.exchange <> ${exchange} and p.expires_at > clock_timestamp()
      order by p.exchange, p.device`.execute(db.unscoped);
  return rows.map(({ phone, url }) => ({ ...phone, url }));
}
