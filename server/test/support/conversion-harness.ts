import { expect } from 'vitest';
import { calls, integrations } from '#contract';
import type { OutboundAnswer, OutboundRequest } from '../../src/gateways/outbound.ts';
import { createAccountHarness, type Rule } from './account-harness.ts';
import type { TestPerson } from './test-app.ts';

/** What the sandbox's ad account counts of a call. */
interface Counted<Details> {
  place: string;
  key: string;
  details: Details;
  times: number;
  taken_back: boolean;
}

/** A rule that counts calls once they are qualified, with their value. */
export const qualified = {
  event: 'qualified',
  value: { type: 'from_call' },
} as const satisfies Rule;

/**
 * A demo in which accounts of one advertising platform count calls.
 * @param config of an account that is set up, as its provider has it
 */
export async function createConversionHarness<Details>(provider: string, config: object) {
  const harness = await createAccountHarness(['sandbox.conversion']);
  const { app, company, website } = harness;

  /** What the platform counts, the oldest first. */
  const counted = async (): Promise<Counted<Details>[]> =>
    (
      await app.services.db.pool.query<Counted<Details>>(
        `select place, key, details, times, taken_back from sandbox.conversion order by id`,
      )
    ).rows;

  /** A company that tells the platform of qualified calls, and its website. */
  async function shop(more: object = {}, rules: readonly Rule[] = [qualified]) {
    const made = await company(provider, { ...config, ...more }, rules);
    return { ...made, visit: await website(made) };
  }

  /** Changes a call, and what follows from that is sent. */
  const edit = async (owner: TestPerson, id: number, body: object): Promise<void> => {
    const answer = await app.as(owner).request(calls.updateCall, { params: { id }, body });
    expect(answer.status).toBe(200);
    await app.drainJobs();
  };

  /** What was sent of a call to its account, or why nothing. */
  const why = async (owner: TestPerson, callId: number) => {
    const { body, status } = await app.as(owner).request(integrations.listCallDeliveries, {
      params: { companyId: owner.companyId, callId },
    });
    expect(status).toBe(200);
    return body.data[0];
  };
  /** A call after a click that is told, with the platform's answer to the requests that match. */
  async function told(
    click: string,
    matches: (request: OutboundRequest) => boolean,
    answer: OutboundAnswer,
  ) {
    const made = await shop();
    await made.visit(click);
    const callId = await made.missedCall();
    harness.meddle((request, real) => (matches(request) ? answer : real));
    await edit(made.owner, callId, { qualified: true });
    return { ...made, callId };
  }
  return { ...harness, counted, shop, edit, why, told };
}
