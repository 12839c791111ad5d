/** How a company writes dates and times: its settings `locale`, `date_format` and `time_format`. */
export interface DateStyle {
  /** A BCP 47 tag; it chooses the names of months and weekdays. */
  locale: string;
  /** Of `MMM`, `MM`, `D`, `DD` and `YYYY`, such as `MMM D, YYYY`. */
  date_format: string;
  /** `h:mm A` or `HH:mm`. */
  time_format: string;
}

/** As the specification writes them (A §9, B §9). */
export const usualDateStyle: DateStyle = {
  locale: 'en-US',
  date_format: 'MMM D, YYYY',
  time_format: 'h:mm A',
};

const formats = new Map<string, Intl.DateTimeFormat>();
/** The parts of an instant in a zone (IANA), by the names of `Intl.DateTimeFormat`. */
export function datePartsOf(
  when: string | number | Date,
  zone: string,
  locale = usualDateStyle.locale,
): Record<string, string> {
  // Making a formatter takes fifty times as long as using it.
  const key = `${locale} ${zone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
      weekday: 'long',
    });
  formats.set(key, format);
  return Object.fromEntries(format.formatToParts(new Date(when)).map((p) => [p.type, p.value]));
}

const two = (value: string | number): string => String(value).padStart(2, '0');

/** A date, a day without its year, or a time, as this style writes it in a zone (IANA). */
export function writeDate(
  what: 'date' | 'day' | 'time',
  when: string | number | Date,
  zone: string,
  style: DateStyle = usualDateStyle,
): string {
  const p = datePartsOf(when, zone, style.locale);
  const half = p['dayPeriod']?.toUpperCase();
  if (what === 'time')
    return style.time_format === 'HH:mm'
      ? `${two((Number(p['hour']) % 12) + (half === 'PM' ? 12 : 0))}:${p['minute']}`
      : `${p['hour']}:${p['minute']} ${half}`;
  const pattern =
    what === 'date' ? style.date_format : style.date_format.replace(/^YYYY-|[,/]? ?YYYY$/, '');
  return pattern.replace(/MMM|MM|DD|D|YYYY/g, (part) => {
    if (part === 'MMM') return p['month'] ?? '';
    if (part === 'MM') return two(monthOf(when, zone));
    if (part === 'YYYY') return p['year'] ?? '';
    return part === 'DD' ? two(p['day'] ?? '') : (p['day'] ?? '');
  });
}

const months = new Map<string, Intl.DateTimeFormat>();
function monthOf(when: string | number | Date, zone: string): string {
  const format =
    months.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'numeric' });
  months.set(zone, format);
  return format.format(new Date(when));
}
