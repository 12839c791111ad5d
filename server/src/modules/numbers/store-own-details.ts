import { sql } from 'kysely';
import type { OwnDetails } from '../../platform/masking/contact-details.ts';

/** The company's lines, and the telephones and mailboxes that they lead to. */
export const ownDetails: OwnDetails = (db, companyId, { numbers, emails }) =>
  db.readOnly({ companyId }, async (tx) => {
    const { rows } = await sql<{ detail: string }>`
      select number detail from number
        where company_id = ${companyId} and number = any(${numbers}::text[])
      union all select forward_number from number
        where company_id = ${companyId} and forward_number = any(${numbers}::text[])
      union all select phone from forward_contact
        where company_id = ${companyId} and phone = any(${numbers}::text[])
      union all select email from number, unnest(voicemail_emails) email
        where company_id = ${companyId} and lower(email) = any(${emails}::text[])`.execute(tx);
    return rows.map((row) => row.detail);
  });
