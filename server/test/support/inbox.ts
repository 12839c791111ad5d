import { randomUUID } from 'node:crypto';
import { conversations as contract } from '#contract';
import type { Item } from '#contract/conversations/schemas';
import type { TestPerson, TestApp } from './test-app.ts';
import { systemCtx } from '../../src/platform/context.ts';
import type { DeliveryReport, IncomingText } from '../../src/gateways/messaging.ts';
import { provisionNumber } from '../../src/modules/numbers/index.ts';
import { itemReceipts } from '../../src/modules/conversations/item-receipts.ts';
import { receiveReceipts } from '../../src/modules/messaging/index.ts';
import { receiveText } from '../../src/modules/conversations/receive-texts.ts';

let nextLine = 1000;
const next = (areaCode: number) => {
  const at = nextLine++;
  return `+1${areaCode + Math.floor(at / 10_000)}555${String(at % 10_000).padStart(4, '0')}`;
};
/**
 * A phone number no other test in this file uses: nine thousand per area code, then the next one.
 */
export const uniquePhone = () => next(212);

/** Common steps of inbox tests. */
export function inboxHelpers(app: TestApp) {
  const inCompany = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
  return {
    inCompany,
    number: async (companyId: number, number = next(415)) => ({
      id: await inCompany(companyId).transaction((t) =>
        provisionNumber(t, { number, label: 'Main line' }),
      ),
      number,
    }),
    /** A text from an outside phone, as a carrier reports it. */
    text: (from: string, to: string, text: string, more: Partial<IncomingText> = {}) =>
      receiveText(app.services, app.notifier, 'sandbox', {
        id: randomUUID(),
        from,
        to,
        text,
        media: [],
        at: app.clock.value.getTime(),
        ...more,
      }),
    receipt: (key: string, state: DeliveryReport['state'], more: Partial<DeliveryReport> = {}) =>
      receiveReceipts(app.services, app.notifier, [itemReceipts], 'sandbox', [
        {
          id: randomUUID(),
          providerId: `p-${key}`,
          key,
          state,
          code: null,
          reason: null,
          at: 0,
          ...more,
        },
      ]),
    asked: (who: TestPerson, query: Record<string, unknown>) =>
      app
        .as(who)
        .request(contract.listConversations, { params: { companyId: who.companyId }, query }),
    list: async (who: TestPerson, query: Record<string, unknown> = {}) =>
      (
        await app.as(who).request(contract.listConversations, {
          params: { companyId: who.companyId },
          query: query,
        })
      ).body,
    items: async (
      who: TestPerson,
      id: number,
      query: Record<string, unknown> = {},
    ): Promise<Item[]> =>
      (
        await app.as(who).request(contract.listConversationItems, {
          params: { companyId: who.companyId, id },
          query: query,
        })
      ).body.data,
    send: (who: TestPerson, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
      app.as(who).request(contract.sendMessage, {
        body: { companyId: who.companyId, ...body },
        headers,
      }),
    /** What the outside phone received, oldest first. */
    received: async (
      phone: string,
    ): Promise<{ from: string; to: string; text: string; media: unknown[] }[]> =>
      (
        await app
          .as(null)
          .inject({ method: 'GET', url: `/sandbox/texts?phone=${encodeURIComponent(phone)}` })
      ).body,
  };
}
