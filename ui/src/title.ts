import { useEffect } from 'react';
import { createStore } from './store.ts';

/** The tab's title, `(3) Inbox – Trunkline`, with the unread count of the selected company. */
const store = createStore<{ title: string; unread: number; product: string }>(
  { title: '', unread: 0, product: 'Trunkline' },
  ({ title, unread, product }) => {
    if (typeof document === 'undefined') return;
    document.title = `${unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : ''}${title ? `${title} – ` : ''}${product}`;
  },
);
/** Sets the number of unread conversations that the browser tab shows. */
export const setUnread = (unread: number): void => store.set({ unread });
/** Sets the product name in the tab's title. */
export const setProduct = (product: string): void => store.set({ product });
/** The title of the browser tab while this screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => store.set({ title }), [title]);
}
