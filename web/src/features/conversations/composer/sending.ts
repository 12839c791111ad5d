import { conversations } from '#contract';
import { api, optimisticUpdate, formFields, ApiError } from '#ui';
import { cache } from '../../../shared/query-client.ts';
import { restoreDraft } from './drafts.ts';
import { insertItem, type Item } from '../cache-updates.ts';
import { createSender, type OutgoingMessage } from '#ui/messaging/sender.ts';

/** Shows an item from a response in the thread without waiting for its event. */
export function showItem(item: Item): void {
  optimisticUpdate(cache, conversations.listConversationItems, (response, input, page) =>
    Number((input.params as { id?: unknown } | undefined)?.id) === item.conversationId
      ? insertItem(response, item, page)
      : undefined,
  );
}

/** A new idempotency key for a message. */
export const newClientKey = (): string =>
  `c-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

/** No response, or the same key is still being handled: only a retry with the key can tell. */
const isUnconfirmed = (problem: unknown): boolean =>
  problem instanceof ApiError && (problem.status === 0 || problem.code === 'idempotency.running');

const unsentPrefix = 'trunkline.unsent.';
/** The server stores a key for a day; older messages return to their draft. */
const idempotencyKeyTtlMs = 23 * 3_600_000;
function loadUnsent(): OutgoingMessage[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(unsentPrefix));
    return keys
      .flatMap((key): OutgoingMessage[] => {
        const { files: hadFiles, ...m } = JSON.parse(localStorage.getItem(key)!) as Omit<
          OutgoingMessage,
          'files'
        > & { files: boolean };
        if (!hadFiles && Date.now() - Date.parse(m.at) < idempotencyKeyTtlMs)
          return [{ ...m, files: [] }];
        localStorage.removeItem(key);
        restoreDraft(m.place, m.text);
        return [];
      })
      .sort((a, b) => a.at.localeCompare(b.at));
  } catch {
    return []; // storage is blocked or corrupt
  }
}

/** The page's only sender: it outlives the screen on which a message was written. */
export const sender = createSender({
  post: async (m) =>
    (
      await api(
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
        { idempotencyKey: m.clientKey, silent: isUnconfirmed },
      )
    ).data,
  isUnconfirmed,
  onSent: showItem,
  restoreDraft: (m) => restoreDraft(m.place, m.text, m.files),
  persist: (m) => {
    const kept = { ...m, files: m.files.length > 0, previews: [] };
    try {
      localStorage.setItem(unsentPrefix + m.clientKey, JSON.stringify(kept));
    } catch {
      /* storage is blocked: it lasts as long as the page */
    }
  },
  discard: (m) => {
    try {
      localStorage.removeItem(unsentPrefix + m.clientKey);
    } catch {
      /* storage is blocked: nothing was kept */
    }
  },
  loadPersisted: loadUnsent,
  now: () => new Date(),
  newKey: newClientKey,
  createPreview: (file) => URL.createObjectURL(file),
  // The server's picture takes a moment to load; the local one is shown until then.
  revokePreview: (url) => void setTimeout(() => URL.revokeObjectURL(url), 10_000),
});
