import { t, toast } from '#ui';
import { desktopNotificationStore, storageKey } from './desktop-store.ts';

/** Loaded only when the user turns notifications on or off. */
const loadWebPush = () => import('#ui/web-push.ts');

/** Why notifications can't be turned on in this browser, shown beside the switch. */
export function warnNotificationsUnavailable(why: 'denied' | 'missing'): void {
  if (why === 'missing')
    toast.warn(t('This browser has no notifications.'), {
      detail: t('Try another browser. On a phone, add the app to your home screen first.'),
    });
  else
    toast.warn(t('Notifications are blocked in this browser.'), {
      detail: t('Allow them in your browser’s settings for this site.'),
    });
}

/**
 * Turns notifications on or off in this browser, web push included. `denied`: the user or the
 * browser refused; `missing`: it has none.
 */
export async function toggleDesktopNotifications(): Promise<'on' | 'off' | 'denied' | 'missing'> {
  if (desktopNotificationStore.get().on) {
    localStorage.removeItem(storageKey);
    desktopNotificationStore.set({ on: false });
    void loadWebPush().then((p) => p.unsubscribePush());
    return 'off';
  }
  // Mobile browsers support notifications only once the app is on the home screen.
  if (!('Notification' in window)) return 'missing';
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  localStorage.setItem(storageKey, '1');
  desktopNotificationStore.set({ on: true });
  void loadWebPush().then((p) => p.subscribePush());
  return 'on';
}

/** Turns desktop notifications on or off and shows the result. */
export async function switchDesktopNotifications(): Promise<void> {
  const now = await toggleDesktopNotifications();
  if (now === 'missing' || now === 'denied') warnNotificationsUnavailable(now);
  else
    toast.success(
      now === 'on'
        ? t('You’ll be notified of new texts and voicemails on this computer.')
        : t('Notifications on this computer are off.'),
    );
}
