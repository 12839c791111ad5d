import { conversations, monitoring, team, type EventData } from '#contract';
import { alertKinds } from '#contract/monitoring/rules';
import type { NotificationKind } from '#contract/notifications/rules';
import { formatPhoneNumber, hasPermission, navigate, onLiveEvent, session, t } from '#ui';
import { desktopNotificationStore } from './desktop-store.ts';
import { isPaused } from './is-paused.ts';
import { shouldNotify } from './mute-rules.ts';

type ConversationUpdate = EventData<typeof conversations.conversationUpdated>;
/**
 * The same kinds as the server's pushes: new items and missed calls. The in-app phone shows ringing
 * calls.
 */
function notificationOf({
  reason,
  item,
}: ConversationUpdate): { kind: NotificationKind; body: string } | null {
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
function showNotification(title: string, body: string, tag: string, to: string): void {
  void isPaused().then((paused) => {
    if (!paused) showNow(title, body, tag, to);
  });
}
function showNow(title: string, body: string, tag: string, to: string): void {
  const notice = new Notification(title, { body, tag, icon: '/icon.svg' });
  notice.onclick = () => {
    window.focus();
    navigate(to);
    notice.close();
  };
}

/** Shows new alerts to those who can act on them. Returns a function that stops it. */
const showAlerts = (): (() => void) =>
  onLiveEvent(monitoring.alertOpened.name, (data) => {
    const { companyId, alertId, kind, isTold } = data as EventData<typeof monitoring.alertOpened>;
    if (
      isTold &&
      desktopNotificationStore.get().on &&
      document.hidden &&
      companyId === session.get().selectedCompanyId &&
      hasPermission('monitoring.edit') &&
      shouldNotify('alert', null)
    )
      showNotification(
        t('New alert'),
        t(alertKinds[kind].title),
        `alert-${alertId}`,
        `/monitoring?open=${companyId}-${alertId}`,
      );
  });

/**
 * Shows notifications for conversations, mentions, assignments and alerts, as the user's settings allow.
 * Returns a function that stops them.
 */
export function startDesktopNotifications(): () => void {
  const stops = [
    onLiveEvent(conversations.conversationUpdated.name, (data) => {
      const update = data as ConversationUpdate;
      const notification =
        desktopNotificationStore.get().on && document.hidden ? notificationOf(update) : null;
      const { conversation } = update;
      if (!notification || !shouldNotify(notification.kind, conversation.number.id)) return;
      const who =
        conversation.contact?.name ||
        (conversation.recipient === 'anonymous'
          ? t('Withheld number')
          : formatPhoneNumber(conversation.recipient));
      showNotification(
        who,
        notification.body,
        `conversation-${conversation.id}`,
        `/inbox/${conversation.id}`,
      );
    }),
    onLiveEvent(team.teamNotification.name, (data) => {
      const { kind, byName, about, text, conversationId, numberId, companyId, key } =
        data as EventData<typeof team.teamNotification>;
      if (
        !desktopNotificationStore.get().on ||
        !document.hidden ||
        companyId !== session.get().selectedCompanyId ||
        !shouldNotify(kind, numberId)
      )
        return;
      showNotification(
        kind === 'mention'
          ? t('{who} mentioned you', { who: byName })
          : t('{who} assigned you a conversation', { who: byName }),
        kind === 'mention' ? text : about,
        `team-${key}`,
        conversationId === null ? '/inbox' : `/inbox/${conversationId}`,
      );
    }),
    showAlerts(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
