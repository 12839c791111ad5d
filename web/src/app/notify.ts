import { conversations, teamwork, type EventData } from '#contract';
import type { NewsKind } from '#contract/notification-rules';
import { flash, formatPhoneNumber, go, listen, makeStore, session, t } from '#ui';
import { wantedHere } from '../features/notifications/muted.ts';

/** Notices of the operating system for what comes in while nobody looks. Asked for by the person, kept on this computer. */
const place = 'trunkline.notify';
export const notifyStore = makeStore({
  on:
    localStorage.getItem(place) === '1' &&
    'Notification' in window &&
    Notification.permission === 'granted',
});

/** Only needed when the person turns it on or off. */
const pushes = () => import('../features/notifications/web-push.ts');

/** Why nothing comes: said where one tries to turn it on. */
export function sayNoNotices(why: 'denied' | 'missing'): void {
  if (why === 'missing')
    flash.warn(t('This browser has no notifications.'), {
      detail: t('Use another one, or on a telephone put the app on the home screen first.'),
    });
  else
    flash.warn(t('This browser does not allow notifications here.'), {
      detail: t('Allow them in the browser’s settings for this site.'),
    });
}

export async function toggleNotify(): Promise<'on' | 'off' | 'denied' | 'missing'> {
  if (notifyStore.get().on) {
    localStorage.removeItem(place);
    notifyStore.set({ on: false });
    void pushes().then((p) => p.unsubscribePush());
    return 'off';
  }
  // A telephone's browser has no notices until the app stands on its home screen.
  if (!('Notification' in window)) return 'missing';
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  localStorage.setItem(place, '1');
  notifyStore.set({ on: true });
  void pushes().then((p) => p.subscribePush());
  return 'on';
}

type Said = EventData<typeof conversations.conversationUpdated>;
/** What came in and waits, as the server's pushes tell it; a call rings by itself, one that nobody took is news. */
function newsOf({ reason, item }: Said): { kind: NewsKind; body: string } | null {
  if (!item?.isInbound || item.readAt !== null) return null;
  if (item.kind === 'message')
    return reason === 'new_item'
      ? { kind: 'message', body: item.details.content || t('Picture') }
      : null;
  if (item.kind === 'voicemail')
    return reason === 'new_item' ? { kind: 'voicemail', body: t('New voicemail') } : null;
  if (item.kind === 'fax')
    return reason === 'item_updated' && item.details.state === 'received'
      ? {
          kind: 'fax',
          body: t('Fax, {pages, plural, one {# page} other {# pages}}', {
            pages: item.details.pages,
          }),
        }
      : null;
  if (item.kind === 'call')
    return reason === 'item_updated' && item.details.outcome === 2
      ? { kind: 'missed', body: t('Missed call') }
      : null;
  return null;
}
function show(title: string, body: string, tag: string, to: string): void {
  const notice = new Notification(title, { body, tag, icon: '/icon.svg' });
  notice.onclick = () => {
    window.focus();
    go(to);
    notice.close();
  };
}

/** What waits on a conversation and what colleagues ask of one, as the person's notification settings have it. */
export function startNotifying(): () => void {
  const stops = [
    listen(conversations.conversationUpdated.name, (data) => {
      const said = data as Said;
      const news = notifyStore.get().on && document.hidden ? newsOf(said) : null;
      const { conversation } = said;
      if (!news || !wantedHere(news.kind, conversation.number.id)) return;
      const who =
        conversation.contact?.name ||
        (conversation.recipient === 'anonymous'
          ? t('Withheld number')
          : formatPhoneNumber(conversation.recipient));
      show(who, news.body, `conversation-${conversation.id}`, `/inbox/${conversation.id}`);
    }),
    listen(teamwork.teamNews.name, (data) => {
      const { kind, byName, about, text, conversationId, numberId, companyId, key } =
        data as EventData<typeof teamwork.teamNews>;
      if (
        !notifyStore.get().on ||
        !document.hidden ||
        companyId !== session.get().selectedCompanyId ||
        !wantedHere(kind, numberId)
      )
        return;
      show(
        kind === 'mention'
          ? t('{who} mentioned you', { who: byName })
          : t('{who} gave you a conversation', { who: byName }),
        kind === 'mention' ? text : about,
        `team-${key}`,
        conversationId === null ? '/inbox' : `/inbox/${conversationId}`,
      );
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
