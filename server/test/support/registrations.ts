/** Test helpers for SMS registrations: a valid brand and campaign, and the requests on them. */
import { registration as contract, type Body } from '#contract';
import { systemCtx } from '../../src/platform/context.ts';
import { provisionNumber } from '../../src/modules/numbers/index.ts';
import type { TestApp, TestPerson } from './test-app.ts';

export type RegistrationBody = Body<typeof contract.createSmsCampaign>;

export const brand = {
  type: 'private',
  legal_name: 'Harbor Dental LLC',
  dba: 'Harbor Dental',
  ein: '12-1234567',
  industry: 'healthcare',
  website: 'harbor-dental.test',
  email: 'hello@harbor-dental.test',
  phone: '+12125552300',
  address: { line1: '1 Harbor Street', city: 'New York', state: 'NY', zip: '10001', country: 'US' },
  contact: {
    first_name: 'Olive',
    last_name: 'Owner',
    title: 'Owner',
    email: 'owner@harbor-dental.test',
    phone: '',
  },
} as const;
export const goodSamples = [
  'Harbor Dental: your visit is on Tuesday at 10:30. Reply STOP to stop.',
  'Harbor Dental: your invoice is ready at the desk. Reply STOP to stop.',
];
export const campaign = {
  use_case: 'CUSTOMER_CARE',
  description: 'Appointment reminders and answers to questions of patients of the practice.',
  sample_messages: goodSamples,
  optins: [
    {
      type: 'text_to_join',
      description: 'Patients text JOIN to the number on the desk.',
      keywords: ['join'],
    },
  ],
  opt_in_message: 'Harbor Dental: welcome. Reply STOP to stop.',
  opt_out_message: 'Harbor Dental: you get no more texts.',
  help_message: 'Harbor Dental: call us.',
  privacy_url: 'https://harbor-dental.test/privacy',
  monthly_volume: '10,001-25,000',
} as const;
/** A complete registration with these changes, which may make it invalid. */
export const registrationBody = (
  campaignChanges: Record<string, unknown> = {},
  brandChanges: Record<string, unknown> = {},
) =>
  ({
    brand: { ...brand, ...brandChanges },
    campaign: { ...campaign, ...campaignChanges },
    // invalid bodies are the point of some tests
  }) as unknown as RegistrationBody;

export const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors;

export function registrationsOf(app: TestApp) {
  let nextLine = 300;
  const number = (companyId: number, area = '415') =>
    systemCtx(app.services, companyId, app.notifier).transaction((t) =>
      provisionNumber(t, { number: `+1${area}555${String(nextLine++).padStart(4, '0')}` }),
    );
  const create = (person: TestPerson, body: RegistrationBody) =>
    app
      .as(person)
      .request(contract.createSmsCampaign, { params: { companyId: person.companyId }, body });
  // `as never`: bodies and kinds that the types forbid are sent on purpose.
  const update = (person: TestPerson, id: number, body: unknown) =>
    app.as(person).request(contract.updateSmsCampaign, {
      params: { companyId: person.companyId, id },
      body,
    } as never);
  const get = async (person: TestPerson, id: number) =>
    (
      await app
        .as(person)
        .request(contract.getSmsCampaign, { params: { companyId: person.companyId, id } })
    ).body.data;
  const submit = (person: TestPerson, id: number, more = {}) =>
    app.as(person).request(contract.submitSmsCampaign, {
      params: { companyId: person.companyId, id },
      body: more,
    });
  const cancel = (person: TestPerson, id: number, type: string) =>
    app.as(person).request(contract.cancelSmsCampaign, {
      params: { companyId: person.companyId, id },
      body: { type },
    } as never);
  const add = (person: TestPerson, id: number, numbers: number[]) =>
    app.as(person).request(contract.addSmsCampaignNumbers, {
      params: { companyId: person.companyId, id },
      body: { numbers },
    });
  const remove = (person: TestPerson, id: number, numbers: number[]) =>
    app.as(person).request(contract.removeSmsCampaignNumbers, {
      params: { companyId: person.companyId, id },
      body: { numbers },
    });
  const statusOf = async (companyId: number, numberId: number) =>
    await app.services.db.transaction({ companyId }, (tx) =>
      tx
        .selectFrom('number')
        .select(['sms_verification_status as status', 'sms_verification_campaign_id as campaign'])
        .where('id', '=', numberId)
        .executeTakeFirstOrThrow(),
    );
  /** The sandbox reviewer decides everything in review, without the minute's wait. */
  async function reviewerDecides() {
    for (const { ref, state } of (
      await app.as(null).inject({ method: 'GET', url: '/sandbox/registrations' })
    ).body.data)
      if (state === 'in_review')
        await app.as(null).inject({ method: 'POST', url: `/sandbox/registrations/${ref}/review` });
    await app.drainJobs();
  }
  return { number, create, update, get, submit, cancel, add, remove, statusOf, reviewerDecides };
}
