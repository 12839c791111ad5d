import { conversations } from '#contract';
import { ask, changeAnswers, formFields, Refusal } from '#ui';
import { cache } from '../../app/cache.ts';
import { giveBack } from './drafts.ts';
import { placeItem, type Item } from './fold.ts';
import { makeSender, type Outgoing } from './outgoing.ts';

/** Put an item the server answered with into the thread, without waiting for its event. */
export function showItem(item: Item): void {
  changeAnswers(cache, conversations.listConversationItems, (answer, input, page) =>
    Number((input.params as { id?: unknown } | undefined)?.id) === item.conversationId
      ? placeItem(answer, item, page)
      : undefined,
  );
}

export const newKey = (): string =>
  `c-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** Not reached, or reached twice at once: it will not be known before it is asked again with the same key. */
const wasLost = (problem: unknown): boolean =>
  problem instanceof Refusal && (problem.status === 0 || problem.code === 'idempotency.running');

const unsentPrefix = 'trunkline.unsent.';
/** The server knows a key for a day; a message that lay longer goes back to its draft. */
const keyLastsMs = 23 * 3_600_000;
function keptUnsent(): Outgoing[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(unsentPrefix));
    return keys
      .flatMap((key): Outgoing[] => {
        const { files: hadFiles, ...m } = JSON.parse(localStorage.getItem(key)!) as Omit<
          Outgoing,
          'files'
        > & { files: boolean };
        if (!hadFiles && Date.now() - Date.parse(m.at) < keyLastsMs) return [{ ...m, files: [] }];
        localStorage.removeItem(key);
        giveBack(m.place, m.text);
        return [];
      })
      .sort((a, b) => a.at.localeCompare(b.at));
  } catch {
    return []; // a forbidden or broken box
  }
}

/** The one sender of the page. */
export const sender = makeSender({
  post: async (m) =>
    (
      await ask(
        conversations.sendMessage,
        {
          body: formFields({
            company_id: m.companyId,
            conversationId: m.conversationId,
            message: m.text,
            clientKey: m.clientKey,
            ...(m.files.length && { media: m.files }),
          }),
        },
        { once: m.clientKey, quiet: wasLost },
      )
    ).data,
  wasLost,
  arrived: showItem,
  giveBack: (m) => giveBack(m.place, m.text, m.files),
  keep: (m) => {
    const kept = { ...m, files: m.files.length > 0, previews: [] };
    try {
      localStorage.setItem(unsentPrefix + m.clientKey, JSON.stringify(kept));
    } catch {
      /* then it lasts as long as the page */
    }
  },
  drop: (m) => {
    try {
      localStorage.removeItem(unsentPrefix + m.clientKey);
    } catch {
      /* there was no box */
    }
  },
  kept: keptUnsent,
  now: () => new Date(),
  newKey,
  preview: (file) => URL.createObjectURL(file),
  // The server's picture takes a moment to load; until then the local one stays.
  forget: (url) => void setTimeout(() => URL.revokeObjectURL(url), 10_000),
});
