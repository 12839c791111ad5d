import { conversations, type EventData } from '#contract';
import { formatPhoneNumber, go, listen, makeStore, t } from '#ui';

/** Notices of the operating system for what comes in while nobody looks. Asked for by the person, kept on this computer. */
const place = 'trunkline.notify';
export const notifyStore = makeStore({ on: localStorage.getItem(place) === '1' && 'Notification' in window && Notification.permission === 'granted' });

export async function toggleNotify(): Promise<'on' | 'off' | 'denied'> {
  if (notifyStore.get().on) {
    localStorage.removeItem(place);
    notifyStore.set({ on: false });
    return 'off';
  }
  if (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted') return 'denied';
  localStorage.setItem(place, '1');
  notifyStore.set({ on: true });
  return 'on';
}

/** Incoming texts and voicemails; a call rings by itself. */
export const startNotifying = (): (() => void) => listen(conversations.conversationUpdated.name, (data) => {
  const { reason, item, conversation } = data as EventData<typeof conversations.conversationUpdated>;
  if (!notifyStore.get().on || !document.hidden || reason !== 'new_item' || !item?.isInbound || (item.kind !== 'message' && item.kind !== 'voicemail')) return;
  const who = conversation.contact?.name || (conversation.recipient === 'anonymous' ? t('Withheld number') : formatPhoneNumber(conversation.recipient));
  const notice = new Notification(who, { body: item.kind === 'message' ? item.details.content || t('Picture') : t('New voicemail'), tag: `conversation-${conversation.id}`, icon: '/icon.svg' });
  notice.onclick = () => { window.focus(); go(`/inbox/${conversation.id}`); notice.close(); };
});
