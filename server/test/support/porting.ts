/** Test helpers for porting: create, sign, submit and advance port requests of new companies. */
import { expect } from 'vitest';
import { porting as contract, type Answer } from '#contract';
import { advancePort } from '../../src/adapters/sandbox/porting-jobs.ts';
import type { TestApp, TestPerson } from './test-app.ts';

type Port = Answer<typeof contract.getPort>['data'];

const portDetails = {
  losing_carrier: 'Old Bell',
  account_number: '884217',
  pin: '4321',
  billing_telephone_number: '(212) 555-2368',
  customer_type: 'business' as const,
  entity_name: 'Harbor Dental LLC',
  authorized_first_name: 'Olive',
  authorized_last_name: 'Owner',
  authorized_email: 'olive@harbor.test',
  authorized_phone: '212 555 0147',
  service_address: {
    line1: '1 Water Street',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    country: 'US' as const,
  },
};
export const emptyPdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');

export function portingOf(app: TestApp) {
  let next = 100;
  const nextNumber = () => `+1212555${String(++next).padStart(4, '0')}`;
  const today = () =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(app.clock.value);
  const dayAgo = (n: number) =>
    new Date(Date.parse(`${today()}T00:00:00Z`) - n * 86_400_000).toISOString().slice(0, 10);

  const upload = async (
    person: TestPerson,
    id: number,
    fields: Record<string, string>,
    bytes: Buffer = emptyPdf,
    name = 'bill.pdf',
  ) => {
    const boundary = 'a-boundary-of-this-test';
    const parts = [
      ...Object.entries(fields).map(([key, value]) =>
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
        ),
      ),
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ];
    return app.as(person).inject({
      method: 'POST',
      url: `/api/company/${person.companyId}/ports/${id}/documents`,
      payload: Buffer.concat(parts),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  };
  const make = async (person: TestPerson, more: Record<string, unknown> = {}): Promise<Port> => {
    const made = await app.as(person).request(contract.createPort, {
      params: { companyId: person.companyId },
      body: { numbers: [nextNumber()], ...portDetails, ...more },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data;
  };
  const sign = async (person: TestPerson, id: number, more: Record<string, unknown> = {}) => {
    const letter = await app
      .as(person)
      .request(contract.portLetter, { params: { companyId: person.companyId, id } });
    return app.as(person).request(contract.signPortLetter, {
      params: { companyId: person.companyId, id },
      body: { name: 'Olive Owner', hash: letter.body.data.hash, agree: true, ...more },
    });
  };
  /** A complete port request. */
  const complete = async (
    person: TestPerson,
    more: Record<string, unknown> = {},
  ): Promise<Port> => {
    const port = await make(person, more);
    await app.as(person).request(contract.savePort, {
      params: { companyId: person.companyId, id: port.id },
      body: { requested_date: port.earliest_date },
    });
    await upload(person, port.id, { kind: 'bill', bill_date: dayAgo(10) });
    const signed = await sign(person, port.id);
    expect(signed.body.data?.needs, JSON.stringify(signed.body)).toEqual({});
    return signed.body.data;
  };
  const get = async (person: TestPerson, id: number): Promise<Port> =>
    (
      await app
        .as(person)
        .request(contract.getPort, { params: { companyId: person.companyId, id } })
    ).body.data;
  const submit = (person: TestPerson, id: number) =>
    app
      .as(person)
      .request(contract.submitPort, { params: { companyId: person.companyId, id }, body: {} });
  /** Advances the losing carrier's order one step at once instead of after a minute. */
  const advance = async (person: TestPerson, id: number): Promise<Port> => {
    await app.drainJobs();
    await advancePort(app.services, (await get(person, id)).carrier_ref!, null);
    await app.drainJobs();
    return get(person, id);
  };
  return { nextNumber, today, dayAgo, upload, make, sign, complete, get, submit, advance };
}
