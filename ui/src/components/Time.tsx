import {
  formatAgo,
  formatDate,
  formatDateTime,
  formatDay,
  formatListTime,
  formatMoment,
  formatTime,
  userZone,
  zoneName,
  type Instant,
} from '../format.ts';
import { useNow } from '../use-now.ts';

const styles = {
  list: formatListTime,
  moment: formatMoment,
  ago: formatAgo,
  time: (at) => formatTime(at),
  day: (at) => formatDay(at),
  date: (at) => formatDate(at),
  instant: (at) => formatDateTime(at),
} as const satisfies Record<string, (at: Instant, now: number) => string>;
/** An instant in the reader's zone; the tooltip has it in full, with the zone. */
export function Time({ at, as = 'list' }: { at: Instant; as?: keyof typeof styles }) {
  const now = useNow();
  const text = styles[as](at, now);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${formatDateTime(at)} (${zoneName(userZone())})`}
    >
      {text}
    </time>
  );
}
