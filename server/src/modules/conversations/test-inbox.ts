import { randomUUID } from 'node:crypto';
import { conversations as contract } from '#contract';
import type { Item } from '#contract/conversations';
import type { TestPerson, World } from '../../../test/world.ts';
import { systemCtx } from '../../platform/context.ts';
import type { DeliveryReport, IncomingText } from '../../ports/messaging.ts';
import { installNumber } from '../numbers/index.ts';
import { receiveReceipt } from './receive-receipt.ts';
import { receiveText } from './receive-texts.ts';

let line = 1000;
const next = (areaCode: number) => {
  const at = line++;
  return `+1${areaCode + Math.floor(at / 10_000)}555${String(at % 10_000).padStart(4, '0')}`;
};
/** A phone nobody else in this file has. After nine thousand of an area code come those of the next. */
export const aPhone = () => next(212);

/** What the tests of the inbox do all the time. */
export function inboxOf(world: World) {
  const inCompany = (companyId: number) => systemCtx(world.house, companyId, world.said);
  return {
    inCompany,
    number: async (companyId: number, number = next(415)) => ({
      id: await inCompany(companyId).transaction((t) =>
        installNumber(t, { number, label: 'Main line' }),
      ),
      number,
    }),
    /** A text from an outside phone, as a carrier reports it. */
    text: (from: string, to: string, text: string, more: Partial<IncomingText> = {}) =>
      receiveText(world.house, world.said, 'sandbox', {
        id: randomUUID(),
        from,
        to,
        text,
        media: [],
        at: world.now.value.getTime(),
        ...more,
      }),
    receipt: (key: string, state: DeliveryReport['state'], more: Partial<DeliveryReport> = {}) =>
      receiveReceipt(world.house, world.said, 'sandbox', {
        id: randomUUID(),
        providerId: `p-${key}`,
        key,
        state,
        code: null,
        reason: null,
        at: 0,
        ...more,
      }),
    asked: (who: TestPerson, query: Record<string, unknown>) =>
      world
        .as(who)
        .ask(contract.listConversations, { params: { companyId: who.companyId }, query: query }),
    list: async (who: TestPerson, query: Record<string, unknown> = {}) =>
      (
        await world.as(who).ask(contract.listConversations, {
          params: { companyId: who.companyId },
          query: query as never,
        })
      ).body,
    items: async (
      who: TestPerson,
      id: number,
      query: Record<string, unknown> = {},
    ): Promise<Item[]> =>
      (
        await world.as(who).ask(contract.listConversationItems, {
          params: { companyId: who.companyId, id },
          query: query as never,
        })
      ).body.data,
    send: (who: TestPerson, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
      world.as(who).ask(contract.sendMessage, {
        body: { companyId: who.companyId, ...body } as never,
        headers,
      }),
    /** What the outside phone received, oldest first. */
    received: async (
      phone: string,
    ): Promise<{ from: string; to: string; text: string; media: unknown[] }[]> =>
      (
        await world
          .as(null)
          .raw({ method: 'GET', url: `/sandbox/texts?phone=${encodeURIComponent(phone)}` })
      ).body,
  };
}
