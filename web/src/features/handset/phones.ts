import { createStore, useStore } from '#ui';

/**
 * The outside phones on this page, stored in this browser. All numbers are fictional (555-0100 to
 * 555-0199).
 */
export interface HandsetPhone {
  number: string;
  name: string;
  /** The company number it texts and calls. */ with: string;
  /** What calls and texts show instead of its number. Absent: the number. */ shows?:
    | string
    | undefined;
  /** Spoken when a person or the voicemail answers. */ says: string;
}

const storageKey = 'trunkline.handset';
const names = ['Dana', 'Marco', 'Priya', 'Sam', 'Lena', 'Tom', 'Aisha', 'Hugo'];
const areas = ['212', '415', '312', '617', '206', '305', '512', '303'];
export const maxPhones = 6;

/** The next phone that is not on the page yet. */
export function nextPhone(held: readonly HandsetPhone[]): HandsetPhone {
  const taken = new Set(held.map((p) => p.number));
  for (let i = 0; ; i++) {
    const number = `+1${areas[i % areas.length]}5550${147 + Math.floor(i / areas.length)}`;
    if (!taken.has(number))
      return {
        number,
        name: names[i % names.length] ?? number,
        with: held[0]?.with ?? '',
        says: 'Hello, I would like to make an appointment, please.',
      };
  }
}
function readStored(): HandsetPhone[] {
  try {
    const read = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as HandsetPhone[] | null;
    if (Array.isArray(read) && read.length > 0 && read.every((p) => typeof p.number === 'string'))
      return read.slice(0, maxPhones);
  } catch {
    /* nothing readable: begin anew */
  }
  return [nextPhone([])];
}

const store = createStore<{ phones: HandsetPhone[] }>(
  { phones: typeof localStorage === 'undefined' ? [nextPhone([])] : readStored() },
  ({ phones }) => {
    try {
      localStorage.setItem(storageKey, JSON.stringify(phones));
    } catch {
      /* then they last as long as the page */
    }
  },
);
export const usePhones = (): HandsetPhone[] => useStore(store, (s) => s.phones);
export const addPhone = (): void =>
  store.set((s) => ({ phones: [...s.phones, nextPhone(s.phones)] }));
export const removePhone = (number: string): void =>
  store.set((s) => ({ phones: s.phones.filter((p) => p.number !== number) }));
export const updatePhone = (number: string, change: Partial<HandsetPhone>): void =>
  store.set((s) => ({
    phones: s.phones.map((p) => (p.number === number ? { ...p, ...change } : p)),
  }));
