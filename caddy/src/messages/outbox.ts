import { conversations } from '#contract';
import { api, ApiError, createStore, formFields, invalidate, session, useStore } from '#ui';
import { createSender, type OutgoingMessage } from '#ui/messaging/sender.ts';
import { cache } from '../session.ts';

/**
 * Texts on their way. What couldn't be sent waits in this browser and goes once, by its key, as
 * soon as the network is back; what is refused returns to the field it was written in.
 */
const keptUnder = 'caddy.unsent.';
/** The server stores a key for a day; older texts return to their field. */
const keyTtlMs = 23 * 3_600_000;

const drafts = createStore<{ texts: Record<string, string>; files: Record<string, File[]> }>({
  texts: {},
  files: {},
});
const noFiles: File[] = [];
const write = (place: string, text: string, files: File[]): void =>
  drafts.set((s) => ({
    texts: { ...s.texts, [place]: text },
    files: { ...s.files, [place]: files },
  }));

/** What is written in a conversation and not sent. */
export function useDraft(place: string) {
  const text = useStore(drafts, (s) => s.texts[place] ?? '');
  const files = useStore(drafts, (s) => s.files[place] ?? noFiles);
  return { text, files, set: (next: string, chosen = files) => write(place, next, chosen) };
}

const isUnconfirmed = (problem: unknown): boolean =>
  problem instanceof ApiError && (problem.status === 0 || problem.code === 'idempotency.running');

function loadPersisted(): OutgoingMessage[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(keptUnder));
  return keys
    .flatMap((key): OutgoingMessage[] => {
      const { hadFiles, ...message } = JSON.parse(localStorage.getItem(key) ?? '{}') as Omit<
        OutgoingMessage,
        'files'
      > & { hadFiles: boolean };
      if (!hadFiles && Date.now() - Date.parse(message.at) < keyTtlMs)
        return [{ ...message, files: [] }];
      localStorage.removeItem(key);
      write(message.place, message.text, []);
      return [];
    })
    .sort((a, b) => a.at.localeCompare(b.at));
}

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
  onSent: () =>
    invalidate(
      cache,
      conversations.listConversationItems.name,
      conversations.listConversations.name,
    ),
  restoreDraft: (m) => write(m.place, m.text, m.files),
  persist: (m) =>
    localStorage.setItem(
      keptUnder + m.clientKey,
      JSON.stringify({ ...m, files: [], hadFiles: m.files.length > 0, previews: [] }),
    ),
  discard: (m) => localStorage.removeItem(keptUnder + m.clientKey),
  loadPersisted,
  now: () => new Date(),
  newKey: () => `c-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`,
  createPreview: (file) => URL.createObjectURL(file),
  // The server's picture takes a moment to load; the local one is shown until then.
  revokePreview: (url) => void setTimeout(() => URL.revokeObjectURL(url), 10_000),
});

/** Sends what waits, of the signed-in account. */
function sendWaiting(): void {
  const { selectedCompanyId } = session.get();
  for (const { clientKey, companyId, unsent } of sender.store.get().list)
    if (unsent && companyId === selectedCompanyId) void sender.retry(clientKey);
}
window.addEventListener('online', sendWaiting);
// A network that came back unnoticed, or a first try that was still being handled.
setInterval(() => navigator.onLine && sendWaiting(), 20_000);
if (navigator.onLine) sendWaiting();
