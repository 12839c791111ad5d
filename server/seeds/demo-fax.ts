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
  ];
  for (const f of faxes) {
    const when = new Date(lastOpenTime(rhythm, now.getTime() - f.ago * MINUTE));
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
    const full: FaxRow = await updateFax(tx, companyId, row.id, {
      page_images: images,
      pdf_file_id: pdf,
      error_code: f.error,
      error_text: f.error && 'The line was busy.',
      ended_at: when,
    });
    const details = JSON.stringify(faxItemDetails(full));
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
}
