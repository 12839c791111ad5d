import { render, fullText } from '#contract/campaigns/rules';
import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import { requireTextable, queueText, type StoredMedia } from '../conversations/index.ts';
import { mergeValues, settingsOf } from './rules.ts';
import { visibilityOf } from './sendable.ts';
import { campaignById } from './store.ts';
import { companyAccountOf, sendingNumbers } from './store-senders.ts';
import { groupsByIds, audiencePage, audienceCondition } from './store-audience.ts';

/**
 * Sends the campaign's text to up to five phones, as the group's first member would read it. It
 * counts as an ordinary text. Fails with field errors, or `number.gone`.
 */
export async function sendTest(
  t: TxCtx,
  id: number,
  to: readonly string[],
): Promise<{
  data: { sent: { number: string; item_id: number; conversation_id: number }[]; text: string };
}> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t))) ?? notFound();
  if (!c.text.trim()) invalid({ text: 'Enter a message.' });
  const numberId = c.number_id ?? invalid({ number_id: 'Choose a number to send from.' });
  const number =
    (await sendingNumbers(t.tx, t.companyId, [numberId])).get(numberId) ?? fail('number.gone');
  const phones = [
    ...new Set(
      to.map(
        (each, i) => normalizePhone(each) ?? invalid({ [`to.${i}`]: 'Enter a phone number.' }),
      ),
    ),
  ];
  if (phones.includes(number.number)) invalid({ to: 'A number can’t text itself.' });
  const account = await companyAccountOf(t.tx, t.companyId);
  const groupId = c.group_ids[0];
  const [first] =
    groupId && (await groupsByIds(t, [groupId])).has(groupId)
      ? await audiencePage(
          t.tx,
          t.companyId,
          {
            campaignId: c.id,
            condition: await audienceCondition(t, groupId),
            ourNumber: number.number,
            companyZone: account.timezone,
            textedSince: new Date(
              t.now.getTime() - settingsOf(account.settings).recentlyTextedHours * 3_600_000,
            ),
          },
          1,
        )
      : [];
  const text = render(fullText(c.text, c.unsubscribe_text), mergeValues(first ?? null));
  const sent = [];
  for (const phone of phones) {
    await requireTextable(t, numberId, phone);
    const queued = await queueText(t, {
      numberId,
      party: phone,
      content: text,
      media: c.media as StoredMedia[],
    });
    const { item, conversation } = mustBe(queued, 'the text, which repeats no earlier one');
    sent.push({ number: phone, item_id: item.id, conversation_id: conversation.id });
  }
  return { data: { sent, text } };
}
