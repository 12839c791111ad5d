import { numbers } from '#contract';
import { createStore, session, useStore } from '#ui';

/**
 * A number to be bought. The cart is kept in session storage and survives a reload of the tab, but
 * not a change of company. Prices are in cents, `expiresAt` is the end of the reservation (ISO),
 * and `taken` means that another company bought the number meanwhile.
 */
export interface CartItem {
  number: string;
  vanityText: string | null;
  place: string;
  monthlyCents: number;
  setupCents: number;
  category: numbers.Located['category'];
  reservationId: number;
  expiresAt: string;
  taken: boolean;
}
interface Cart {
  companyId: number | null;
  lines: CartItem[];
}
const storageKey = 'trunkline.cart';
const storage = typeof sessionStorage === 'undefined' ? null : sessionStorage;
const readStored = (): Cart => {
  try {
    return JSON.parse(storage?.getItem(storageKey) ?? '') as Cart;
  } catch {
    return { companyId: null, lines: [] };
  }
};
const store = createStore<Cart>(readStored(), (cart) =>
  storage?.setItem(storageKey, JSON.stringify(cart)),
);

const currentCompanyId = (): number | null => session.get().selectedCompanyId;
const itemsOf = (cart: Cart): CartItem[] =>
  cart.companyId === currentCompanyId() ? cart.lines : [];
const updateItems = (next: (before: CartItem[]) => CartItem[]): void =>
  store.set((cart) => ({ companyId: currentCompanyId(), lines: next(itemsOf(cart)) }));

/** City and region of a number; empty when unknown. */
export const locationLabel = (n: Pick<numbers.Located, 'city' | 'region' | 'category'>): string =>
  [n.city, n.region].filter(Boolean).join(', ');
/** A number found as it stands in the cart. */
const toCartItem = (n: numbers.Located): CartItem => ({
  number: n.number,
  vanityText: n.vanity_text,
  place: locationLabel(n),
  monthlyCents: n.monthly_cents,
  setupCents: n.setup_cents,
  category: n.category,
  reservationId: n.reservation_id,
  expiresAt: n.expires_at,
  taken: false,
});

/**
 * Adds reserved numbers to the cart, up to the most that can be bought at once. Those already in it
 * get the new reservation.
 */
export const addToCart = (found: readonly numbers.Located[]): void =>
  updateItems((before) => {
    const fresh = new Map(found.map((n) => [n.number, toCartItem(n)]));
    return [
      ...before.map((item) => fresh.get(item.number) ?? item),
      ...[...fresh.values()].filter((item) => !before.some((b) => b.number === item.number)),
    ].slice(0, numbers.maxPurchase);
  });
/** Takes a number out of the cart. */
export const removeFromCart = (number: string): void =>
  updateItems((before) => before.filter((item) => item.number !== number));
/** Empties the cart. */
export const emptyCart = (): void => updateItems(() => []);
/** Marks numbers that another company bought meanwhile. */
export const markUnavailable = (taken: readonly string[]): void =>
  updateItems((before) =>
    before.map((item) => (taken.includes(item.number) ? { ...item, taken: true } : item)),
  );
/** Takes out the numbers that another company bought. */
export const removeUnavailable = (): void =>
  updateItems((before) => before.filter((item) => !item.taken));
/** The cart of the selected company. */
export function useCart(): CartItem[] {
  const cart = useStore(store, (s) => s);
  return itemsOf(cart);
}

/**
 * Seconds until the first reservation in the cart expires, at `now` (ms); null when none is active.
 */
export function reservationSecondsLeft(cart: readonly CartItem[], now: number): number | null {
  const left = cart
    .filter((l) => !l.taken)
    .map((l) => Math.floor((new Date(l.expiresAt).getTime() - now) / 1000))
    .filter((s) => s > 0);
  return left.length ? Math.min(...left) : null;
}
/** Seconds as `m:ss`. */
export const formatClock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
