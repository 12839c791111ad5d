import type { EventData } from '#contract';
import type { formReceived } from '#contract/tracking/events';
import type { TxCtx } from '../../platform/context.ts';
import { isBlocked } from '../compliance/index.ts';
import { appendItem } from './append-item.ts';

/**
 * A form of a website is an item of the conversation with the phone number in it, on the number that
 * the visitor saw. Nothing of a blocked number, as of its texts.
 */
export async function appendForm(ctx: TxCtx, form: EventData<typeof formReceived>): Promise<void> {
  const { party, numberId, visitId, at } = form;
  if (party === null || numberId === null) return;
  if (await isBlocked(ctx.tx, ctx.companyId, numberId, party)) return;
  await appendItem(ctx, {
    numberId,
    party,
    kind: 'form',
    isInbound: true,
    at: new Date(at),
    unread: true,
    source: `form:${visitId}:${at}`,
    text: form.fields.map(({ value }) => value).join(' '),
    ...(form.name !== null && { contactName: form.name }),
    details: {
      form: form.form,
      fields: form.fields,
      page: form.page,
      sessionId: visitId,
      source: form.source.label,
      sourceKey: form.source.key,
      medium: form.medium,
      campaign: form.campaign,
      keyword: form.keyword,
      landingUrl: form.page,
    },
  });
}
