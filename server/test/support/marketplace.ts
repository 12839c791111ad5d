/** For tests of the marketplace: listings of new companies. */
import { sql } from 'kysely';
import { expect } from 'vitest';
import { marketplace as contract, numbers } from '#contract';
import type { TestApp, TestPerson } from './test-app.ts';

export function marketplaceOf(app: TestApp) {
  let next = 3000;

  /**
   * A listed number of a new company: its own, or inventory that is provisioned when a company
   * takes it.
   */
  async function listed(more: { own?: boolean; patch?: object; number?: string } = {}) {
    const { company, owner } = await app.createCompany();
    const number = more.number ?? `+1800555${++next}`;
    let id: number;
    if (more.own) {
      const bought = await app
        .as(owner)
        .request(numbers.buyNumbers, { body: { numbers: [number] } });
      const made = await app.as(owner).request(contract.listOnMarketplace, {
        body: {
          number_id: (bought.body.data as { id: number }[])[0]!.id,
          vanity_text: '800-555-DENT',
        },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      id = made.body.data.id;
    } else {
      id = (
        await sql<{
          id: number;
        }>`insert into marketplace_number (company_id, number, category, area_code, vanity_text,
            words, legal_notice, created_at, updated_at)
          values (${company.id}, ${number}, 'toll_free', '800', '800-555-DENT', '{DENT}',
            'Service only.', now(), now()) returning id`.execute(app.services.db.unscoped)
      ).rows[0]!.id;
    }
    const put = await app.as(owner).request(contract.updateMarketplaceNumber, {
      params: { id },
      body: {
        status: 'listed',
        pricing: { monthly_cents: 9900, minimum_term_months: 6 },
        ...more.patch,
      },
    });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    return { id, number, owner, company };
  }
  const detail = async (owner: TestPerson, id: number) =>
    (await app.as(owner).request(contract.getMarketplaceNumber, { params: { id } })).body.data;
  const reserve = (buyer: TestPerson, id: number) =>
    app.as(buyer).request(contract.reserveListing, { params: { id }, body: {} });
  return { listed, detail, reserve };
}
