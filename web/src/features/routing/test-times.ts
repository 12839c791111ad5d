import { schedules } from '#contract';
import { t } from '#ui';
import type { Draft } from './draft.ts';

/** A moment worth testing, as `YYYY-MM-DDTHH:mm` of the viewer's clock. */
export interface TestTime {
  label: string;
  at: string;
}

/** `YYYY-MM-DDTHH:mm` of the browser's clock. */
export const localMinute = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Now, tonight, the next US federal holiday, and up to three special dates of the draft's routes. */
export function testTimesOf(draft: Draft, now: Date): TestTime[] {
  const today = localMinute(now).slice(0, 10);
  const isAhead = (day: { to: string }): boolean => day.to >= today;
  const noonOf = (day: { from: string }): string => `${day.from < today ? today : day.from}T12:00`;
  const year = now.getFullYear();
  const holiday = [year, year + 1].flatMap(schedules.usFederalHolidays).find(isAhead);
  const specialDays = draft.routes
    .flatMap((route) => route.business_hours?.exceptions ?? [])
    .filter(isAhead)
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .filter((day, i, all) => all.findIndex((other) => other.from === day.from) === i);
  return [
    { label: t('Now'), at: localMinute(now) },
    { label: t('Tonight'), at: `${today}T23:00` },
    ...(holiday ? [{ label: t('Next holiday'), at: noonOf(holiday) }] : []),
    ...specialDays.slice(0, 3).map((day) => ({ label: day.label || day.from, at: noonOf(day) })),
  ];
}
