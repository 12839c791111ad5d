import { numbers } from '#contract';
import { makeStore, session, useStore } from '#ui';

/** What one is about to buy. It survives a reload of this tab, but not a change of company. */
export interface CartLine {
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
  lines: CartLine[];
}
const place = 'trunkline.cart';
const box = typeof sessionStorage === 'undefined' ? null : sessionStorage;
const kept = (): Cart => {
  try {
    return JSON.parse(box?.getItem(place) ?? '') as Cart;
  } catch {
    return { companyId: null, lines: [] };
  }
};
const store = makeStore<Cart>(kept(), (cart) => box?.setItem(place, JSON.stringify(cart)));

const here = (): number | null => session.get().selectedCompanyId;
const lines = (cart: Cart): CartLine[] => (cart.companyId === here() ? cart.lines : []);
const change = (next: (before: CartLine[]) => CartLine[]): void =>
  store.set((cart) => ({ companyId: here(), lines: next(lines(cart)) }));

export const placeOf = (n: Pick<numbers.Located, 'city' | 'region' | 'category'>): string =>
  [n.city, n.region].filter(Boolean).join(', ');
export const toLine = (n: numbers.Located): CartLine => ({
  number: n.number,
  vanityText: n.vanity_text,
  place: placeOf(n),
  monthlyCents: n.monthly_cents,
  setupCents: n.setup_cents,
  category: n.category,
  reservationId: n.reservation_id,
  expiresAt: n.expires_at,
  taken: false,
});

export const addToCart = (found: readonly numbers.Located[]): void =>
  change((before) => {
    const fresh = new Map(found.map((n) => [n.number, toLine(n)]));
    return [
      ...before.map((line) => fresh.get(line.number) ?? line),
      ...[...fresh.values()].filter((line) => !before.some((b) => b.number === line.number)),
    ].slice(0, numbers.purchaseAtMost);
  });
export const dropFromCart = (number: string): void =>
  change((before) => before.filter((line) => line.number !== number));
export const emptyCart = (): void => change(() => []);
export const markTaken = (taken: readonly string[]): void =>
  change((before) =>
    before.map((line) => (taken.includes(line.number) ? { ...line, taken: true } : line)),
  );
export const dropTaken = (): void => change((before) => before.filter((line) => !line.taken));
export function useCart(): CartLine[] {
  const cart = useStore(store, (s) => s);
  return lines(cart);
}

/** Seconds until the first hold in the cart runs out; null when nothing is held any more. */
export function heldFor(cart: readonly CartLine[], now: number): number | null {
  const left = cart
    .filter((l) => !l.taken)
    .map((l) => Math.floor((new Date(l.expiresAt).getTime() - now) / 1000))
    .filter((s) => s > 0);
  return left.length ? Math.min(...left) : null;
}
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
