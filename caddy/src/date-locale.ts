import { caddyLocales, type CaddyLocale } from '#contract/caddy/rules';
import { createStore, setDateFormat, useStore, type Instant } from '#ui';

/** How dates and times are written. Kept in the browser too, so that the first screen has it. */
const keptUnder = 'caddy.locale';
const chosen = createStore<{ locale: CaddyLocale }>({ locale: 'en-US' });

const styles = {
  time: { hour: 'numeric', minute: '2-digit' },
  day: { month: 'short', day: 'numeric' },
  date: { month: 'short', day: 'numeric', year: 'numeric' },
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();
function write(locale: CaddyLocale, when: Instant, zone: string, what: keyof typeof styles) {
  const key = `${locale} ${zone} ${what}`;
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...styles[what], timeZone: zone });
  formats.set(key, format);
  return format.format(new Date(when));
}

/** Writes dates and times as in this country from now on. */
export function setDateLocale(locale: CaddyLocale): void {
  if (locale === chosen.get().locale) return;
  localStorage.setItem(keptUnder, locale);
  apply(locale);
}
const apply = (locale: CaddyLocale): void => {
  // American ones are the kit's own.
  setDateFormat(locale === 'en-US' ? null : (when, zone, what) => write(locale, when, zone, what));
  chosen.set({ locale });
};

/** Takes up what was chosen at the last visit. */
export const resumeDateLocale = (): void => apply(known(localStorage.getItem(keptUnder)));

/** The browser's language, if the app has it. */
export const browserLocale = (): CaddyLocale => known(navigator.language);
const known = (name: string | null): CaddyLocale =>
  caddyLocales.find((one) => one === name) ?? 'en-US';

/** The chosen one; whoever calls it is drawn again when it changes. */
export const useDateLocale = (): CaddyLocale => useStore(chosen, (state) => state.locale);

/** A date and time of this year, to choose by. */
export const dateExample = (locale: CaddyLocale): string => {
  const when = Date.UTC(new Date().getFullYear(), 10, 27, 15, 5);
  return `${write(locale, when, 'UTC', 'date')}, ${write(locale, when, 'UTC', 'time')}`;
};
