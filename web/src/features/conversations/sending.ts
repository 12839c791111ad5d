import { conversations } from '#contract';
import { ask, changeAnswers, formFields } from '#ui';
import { cache } from '../../app/cache.ts';
import { giveBack } from './drafts.ts';
import { placeItem, type Item } from './fold.ts';
import { makeSender } from './outgoing.ts';

/** Put an item the server answered with into the thread, without waiting for its event. */
export function showItem(item: Item): void {
  changeAnswers(cache, conversations.listConversationItems, (answer, input, page) =>
    Number((input.params as { id?: unknown } | undefined)?.id) === item.conversationId ? placeItem(answer, item, page) : undefined);
}

export const newKey = (): string => `c-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** The one sender of the page. */
export const sender = makeSender({
  post: async (m) => (await ask(conversations.sendMessage, {
    body: formFields({ company_id: m.companyId, conversationId: m.conversationId, message: m.text, clientKey: m.clientKey, ...(m.files.length && { media: m.files }) }),
  }, { once: true })).data,
  arrived: showItem,
  giveBack: (m) => giveBack(m.place, m.text, m.files),
  now: () => new Date(),
  newKey,
  preview: (file) => URL.createObjectURL(file),
  // The server's picture takes a moment to load; until then the local one stays.
  forget: (url) => void setTimeout(() => URL.revokeObjectURL(url), 10_000),
});
