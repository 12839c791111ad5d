import { notifications } from '#contract';
import { api } from './api.ts';

/**
 * Subscribes this browser to web pushes, which arrive also while no page is open. False when
 * unsupported, blocked or failed.
 */
export async function subscribePush(): Promise<boolean> {
  try {
    const worker = 'serviceWorker' in navigator ? await navigator.serviceWorker.ready : null;
    if (!worker || !('pushManager' in worker)) return false;
    const { data } = await api(notifications.webPushKey, {}, { silent: true });
    const had = await worker.pushManager.getSubscription();
    // A subscription with an old server key would never receive anything.
    const isCurrent = had !== null && textOf(had.options.applicationServerKey) === data.key;
    if (had && !isCurrent) await had.unsubscribe();
    const subscription =
      (isCurrent ? had : null) ??
      (await worker.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: data.key,
      }));
    const { endpoint, keys } = subscription.toJSON();
    if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return false;
    await api(
      notifications.subscribeWebPush,
      { body: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } } },
      { silent: true },
    );
    return true;
  } catch {
    return false;
  } // the push service is unreachable or blocked
}
/** Ends this browser's subscription. Errors are ignored: it ends with the session anyway. */
export async function unsubscribePush(): Promise<void> {
  try {
    const worker =
      'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
    const subscription = await worker?.pushManager?.getSubscription();
    if (!subscription) return;
    await api(
      notifications.unsubscribeWebPush,
      { body: { endpoint: subscription.endpoint } },
      { silent: true },
    );
    await subscription.unsubscribe();
  } catch {
    /* the subscription ends with the session */
  }
}

/** The key in the server's format: base64url. */
const textOf = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
