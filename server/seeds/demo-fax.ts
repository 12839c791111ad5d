import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { insertFax, updateFax, type FaxRow } from '../src/modules/fax/store.ts';
import { faxItemDetails } from '../src/modules/fax/present.ts';
import type { Services } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import type { SeedCompany } from './demo-rows.ts';
import { lastOpenTime } from './demo-week.ts';

const MINUTE = 60_000;
const page = { width: 1728, height: 2237 };

/** The faxes; `ago` in minutes. */
const faxes = [
  {
    party: '+12125550183',
    outgoing: false,
    state: 'received',
    name: 'Fax from (212) 555-0183',
    ago: 22,
    error: null,
    unread: true,
  },
  {
    party: '+17185550126',
    outgoing: true,
    state: 'delivered',
    name: 'Referral.pdf',
    ago: 60 * 26,
    error: null,
    unread: false,
  },
  {
    party: '+13475550191',
    outgoing: true,
    state: 'failed',
    name: 'Referral.pdf',
    ago: 60 * 50,
    error: 'busy',
    unread: false,
  },
] as const;
type Fax = (typeof faxes)[number];

/** The fax number's company and id, and the files of its faxes. */
interface FaxLine {
  companyId: number;
  numberId: number;
  pdf: number;
  /** Its pages as the fax row stores them. */
  images: string;
}

/**
 * A fax number for the first company, with a referral that came in and is unread, one that was
 * sent, and one that failed because the line was busy.
 */
export async function seedFax(
  services: Services,
  tx: Tx,
  { id: companyId, rhythm }: Pick<SeedCompany, 'id' | 'rhythm'>,
  now: Date,
): Promise<void> {
  const numberId = await insertFaxNumber(tx, companyId, now);
  const read = (name: string) => readFile(join(import.meta.dirname, 'fax', name));
  const keep = async (name: string, contentType: string) =>
    (
      await services.files.save(
        tx,
        companyId,
        { name, contentType, bytes: await read(name), purpose: 'fax' },
        now,
      )
    ).id;
  const [pdf, first, second] = [
    await keep('referral.pdf', 'application/pdf'),
    await keep('referral-1.png', 'image/png'),
    await keep('referral-2.png', 'image/png'),
  ];
  const images = JSON.stringify([
    { fileId: first, ...page },
    { fileId: second, ...page },
  ]);
  const line = { companyId, numberId, pdf, images };
  for (const fax of faxes) {
    const when = new Date(lastOpenTime(rhythm, now.getTime() - fax.ago * MINUTE));
    const row = await insertSeedFax(tx, line, fax, when);
    await insertFaxConversation(tx, fax, row, when);
  }
}

/** Creates the fax number; returns its id. */
async function insertFaxNumber(tx: Tx, companyId: number, now: Date): Promise<number> {
  const number = '+12125552360';
  const at = new Date(now.getTime() - 60 * 86_400_000);
  const { id: numberId } = await tx
    .insertInto('number')
    .values({
      company_id: companyId,
      number,
      label: 'Fax line',
      category: 3,
      kind: 3,
      provider_id: 1,
      provider_ref: 'sb-12125552360',
      area_code: '212',
      city: 'New York',
      region: 'NY',
      rate_center: 'NEW YORK',
      routing_type: 'standard',
      sms_enabled: false,
      mms_enabled: false,
      fax_enabled: true,
      sms_verification_status: 'not_required',
      monthly_price_cents: 200,
      purchased_at: at,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('number_directory')
    .values({ number, company_id: companyId, number_id: numberId })
    .execute();
  await tx
    .insertInto('sandbox_order')
    .values({ number, key: `demo-${number}` })
    .execute();
  return numberId;
}

async function insertSeedFax(tx: Tx, line: FaxLine, f: Fax, when: Date): Promise<FaxRow> {
  const { companyId, numberId } = line;
  const row = (await insertFax(tx, {
    company_id: companyId,
    number_id: numberId,
    outgoing: f.outgoing,
    party: f.party,
    state: f.state,
    name: f.name,
    cover: null,
    source_file_ids: [],
    source_url: null,
    pages: 2,
    carrier: 'sandbox',
    provider_id: `demo-${f.party}`,
    actor_id: null,
    actor_name: null,
    queued_at: when,
    created_at: when,
  }))!;
  return updateFax(tx, companyId, row.id, {
    page_images: line.images,
    pdf_file_id: line.pdf,
    error_code: f.error,
    error_text: f.error && 'The line was busy.',
    ended_at: when,
  });
}

/** The fax's conversation with its item, named in its row. */
async function insertFaxConversation(tx: Tx, f: Fax, row: FaxRow, when: Date): Promise<void> {
  const { company_id: companyId, number_id: numberId } = row;
  const details = JSON.stringify(faxItemDetails(row));
  const { rows } = await sql<{
    id: number;
  }>`insert into conversation (company_id, number_id, party, created_at, last_activity_at,
      unread_faxes, latest_kind, latest_inbound, latest_at, latest_details)
    values (${companyId}, ${numberId}, ${f.party}, ${when}, ${when}, ${f.unread ? 1 : 0}, 'fax',
        ${!f.outgoing}, ${when}, ${details}::jsonb) returning id`.execute(tx);
  const conversationId = rows[0]!.id;
  const item = await tx
    .insertInto('conversation_item')
    .values({
      company_id: companyId,
      conversation_id: conversationId,
      number_id: numberId,
      kind: 'fax',
      is_inbound: !f.outgoing,
      created_at: when,
      read_at: f.unread ? null : when,
      details,
      source: `fax:${row.id}`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('conversation')
    .set({ latest_item_id: item.id })
    .where('company_id', '=', companyId)
    .where('id', '=', conversationId)
    .execute();
  await updateFax(tx, companyId, row.id, { conversation_id: conversationId, item_id: item.id });
}
