import { useId } from 'react';
import css from './Sparkline.module.css';

interface SparklinePoint {
  label: string;
  /** null: nothing was measured. */
  value: number | null;
  /** The value as people read it. */
  text: string;
}
const height = 28;
const step = 6;

/**
 * One bar a day or hour, from zero, so that a quiet day looks quiet. The last one is still running
 * and drawn lighter. Readers of the screen get `summary`; the table under "More" has every value.
 */
export function Sparkline({
  points,
  summary,
}: {
  points: readonly SparklinePoint[];
  summary: string;
}) {
  const title = useId();
  const highest = Math.max(1, ...points.map(({ value }) => value ?? 0));
  return (
    <svg
      className={css.bars}
      role="img"
      aria-labelledby={title}
      viewBox={`0 0 ${Math.max(1, points.length) * step} ${height}`}
      preserveAspectRatio="none"
    >
      <title id={title}>{summary}</title>
      {points.map(({ label, value }, n) => {
        // A day without any keeps a hairline: it was there.
        const tall = Math.max(1, ((value ?? 0) / highest) * height);
        return (
          <rect
            key={label}
            x={n * step + 0.75}
            width={step - 1.5}
            y={height - tall}
            height={tall}
            data-empty={!value || undefined}
            data-running={n === points.length - 1 || undefined}
          />
        );
      })}
    </svg>
  );
}
