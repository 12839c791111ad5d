/** Business hours: is a number, route or destination open at an instant? Pure; rules of B §4 and A7.3. */

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** `HH:MM` local wall clock. `end` may be `24:00`; end ≤ start crosses midnight. */
export interface TimeRange {
  start: string;
  end: string;
}

export interface HoursBlock {
  days: Weekday[];
  times: TimeRange[];
}

/** A date (`2026-12-25`, or a range including `to`) that beats the weekly blocks. */
export interface HoursException {
  from: string;
  to: string;
  label: string;
  closed: boolean;
  times: TimeRange[];
}

/** B §4 presets: 1 24/7, 2 Mon–Fri 9–5, 3 Sat–Sun 9–5, 4 custom, 5 direct voicemail, 6 the company's business hours. */
export interface Hours {
  timezone: string;
  preset: 1 | 2 | 3 | 4 | 5 | 6;
  blocks: HoursBlock[];
  exceptions: HoursException[];
  /** B §4: set = Direct Voicemail, whatever the preset; the blocks are kept. */
  voicemail: boolean;
}
