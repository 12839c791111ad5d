import { createStore } from '#ui';

/** Whether this device is told of texts and calls while Caddy isn't looked at. */
const keptUnder = 'caddy.pushes';
const hasNotifications = (): boolean => 'Notification' in window;
export const pushes = createStore({
  on:
    localStorage.getItem(keptUnder) === '1' &&
    hasNotifications() &&
    Notification.permission === 'granted',
});

const load = () => import('#ui/web-push.ts');

/** Registers this device again: its browser may have replaced what the server knows. */
export async function resumePushes(): Promise<void> {
  if (pushes.get().on) await (await load()).subscribePush();
}

/** Asks the person and registers this device. `missing`: the browser can't; `denied`: it may not. */
export async function turnPushesOn(): Promise<'on' | 'denied' | 'missing' | 'failed'> {
  if (!hasNotifications()) return 'missing';
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  if (!(await (await load()).subscribePush())) return 'failed';
  localStorage.setItem(keptUnder, '1');
  pushes.set({ on: true });
  return 'on';
}

/** Ends the notifications of this device. */
export async function turnPushesOff(): Promise<void> {
  localStorage.removeItem(keptUnder);
  pushes.set({ on: false });
  await (await load()).unsubscribePush();
}
