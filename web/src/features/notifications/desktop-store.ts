import { createStore } from '#ui';

/** Desktop notifications while no window has the focus. The user turns them on per device. */
export const storageKey = 'trunkline.notify';
export const desktopNotificationStore = createStore({
  on:
    localStorage.getItem(storageKey) === '1' &&
    'Notification' in window &&
    Notification.permission === 'granted',
});
