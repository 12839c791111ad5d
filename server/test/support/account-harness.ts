import { expect, beforeEach } from 'vitest';
import type { z } from 'zod';
import { integrations, oauthIntegrations as contract, tracking, type BodyIn } from '#contract';
import type { deliveryRule } from '#contract/integrations/schemas';
import { sandboxOutbound } from '../../src/adapters/sandbox/outbound.ts';
import type { OutboundAnswer, OutboundRequest } from '../../src/gateways/outbound.ts';
import { systemCtx } from '../../src/platform/context.ts';
import { deliverDue } from '../../src/modules/integrations/deliveries/deliver-due.ts';
import { createCallHarness, createTestNumber } from './call-harness.ts';
import { connectAccount } from './connect-account.ts';
import type { TestPerson } from './test-app.ts';
import { browser, site } from './tracking-site.ts';

type Meddler = (request: OutboundRequest, answer: OutboundAnswer) => OutboundAnswer;
/** A rule as the API takes it: what is left out has its default. */
export type Rule = z.input<typeof deliveryRule>;
export const lostAnswer: OutboundAnswer = { status: null, error: 'It took too long.' };
export const answerOf = (
  status: number,
  body: unknown,
  retryAfterSeconds: number | null = null,
) => ({
  ...{ status, body: JSON.stringify(body), retryAfterSeconds },
});

/**
 * A demo in which accounts at simulated providers are connected and delivered to. A test sees everything
 * that was asked, and can change what is answered.
 * @param tables of the sandbox, emptied before each test
 */
export async function createAccountHarness(tables: readonly string[]) {
  const asked: OutboundRequest[] = [];
  const unchanged: Meddler = (_, answer) => answer;
  let meddler = unchanged;
  const {
    world: app,
    said: notifier,
    aCall,
  } = await createCallHarness({
    demo: true,
    ports: {
      outbound: {
        name: 'sandbox',
        send: async (request) => {
          asked.push(request);
          return meddler(request, await sandboxOutbound(app.services).send(request));
        },
      },
    },
  });
  beforeEach(async () => {
    asked.length = 0;
    meddler = unchanged;
    for (const table of tables) await app.services.db.pool.query(`delete from ${table}`);
  });

  /** A company whose calls go to an account, and how someone calls it. */
  async function company(provider: string, config: object, rules: readonly Rule[]) {
    const { owner } = await app.createCompany();
    const { companyId } = owner;
    const { number, id: numberId } = await createTestNumber(app, companyId, {
      voicemail: false,
      routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
    });
    const id = await connectAccount(app, owner, provider);
    const params = { companyId, id };
    const setUp = async (more: object): Promise<void> => {
      const saved = await app.as(owner).request(contract.updateOAuthIntegration, {
        params,
        body: { config: { rules, ...config, ...more } } as BodyIn<
          typeof contract.updateOAuthIntegration
        >,
      });
      expect(saved.status).toBe(200);
    };
    await setUp({});
    await app.as(owner).request(contract.activateOAuthIntegration, { params, body: {} });
    await app.drainJobs();
    asked.length = 0;
    const account = async () =>
      (await app.as(owner).request(contract.getOAuthIntegration, { params })).body.data;
    const log = async () => {
      const destinationId = (await account()).destinations[0]?.id ?? 0;
      const { body } = await app
        .as(owner)
        .request(integrations.listDeliveries, { params: { companyId, destinationId } });
      return body.data;
    };
    const missedCall = async (from?: string, to = number): Promise<number> => {
      const call = aCall(to, from);
      await call.tell(call.inbound);
      const callId = await call.id();
      await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
      await app.drainJobs();
      return callId;
    };
    /** Three workers deliver what waits, at one time. */
    const deliverTogether = async (): Promise<void> => {
      const ctx = systemCtx(app.services, companyId, notifier);
      const destinationId = (await account()).destinations[0]?.id ?? 0;
      await Promise.all([1, 2, 3].map(() => deliverDue(ctx, destinationId, () => false)));
      await app.drainJobs();
    };
    return {
      ...{ owner, companyId, id, number, numberId },
      ...{ setUp, missedCall, account, log, deliverTogether },
    };
  }

  /** A website of the company, whose visitors see its number; how one visits it. */
  async function website(
    { owner, numberId }: { owner: TestPerson; numberId: number },
    settings: object = {},
  ) {
    const other = await createTestNumber(app, owner.companyId);
    const made = await app.as(owner).request(tracking.createPool, {
      params: { companyId: owner.companyId },
      body: {
        ...{ name: 'Site', numberIds: [numberId], defaultNumberId: other.id },
        ...{ domains: ['shop.example'], ...settings },
      },
    });
    expect(made.status).toBe(201);
    return async (query: string, more: Partial<BodyIn<typeof tracking.openVisit>> = {}) => {
      const { body, status } = await app.as(null).request(tracking.openVisit, {
        body: {
          companyKey: made.body.data.companyKey,
          url: `${site}/${query}`,
          targets: ['(212) 555-0100'],
          ...more,
        },
        headers: { origin: site, 'user-agent': browser },
      });
      expect(status).toBe(200);
      return body.data;
    };
  }

  /** Time goes by, and what is due by then is sent. */
  async function later(seconds: number): Promise<void> {
    app.clock.advance(seconds);
    await app.drainJobs();
  }
  const meddle = (next: Meddler | null): void => {
    meddler = next ?? unchanged;
  };
  /** Of the requests that match, the first one's answer is lost. Returns how many there were. */
  const loseFirst = (matches: (request: OutboundRequest) => boolean): (() => number) => {
    let times = 0;
    meddle((request, answer) => (matches(request) && ++times === 1 ? lostAnswer : answer));
    return () => times;
  };
  return { app, notifier, asked, meddle, loseFirst, company, website, later };
}
