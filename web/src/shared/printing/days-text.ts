import { formatDay } from '#ui';

/** `Nov 1 – Nov 30`, or one day. */
export const daysText = ({ start, end }: { start: string; end: string }): string => {
  const day = (iso: string) => formatDay(`${iso}T12:00:00Z`, 'UTC');
  return start === end ? day(start) : `${day(start)} – ${day(end)}`;
};
