import { useId } from 'react';
import css from './Sparkline.module.css';

interface SparklinePoint {
  label: string;
  /** Null when nothing was measured. */
  value: number | null;
  /** The formatted value. */
  text: string;
}
const height = 28;
const step = 6;

/**
 * One bar per day or hour, from zero, so that a quiet day looks quiet. The last one isn't over yet
 * and is drawn lighter. Screen readers get `summary`; the table under "More" has every value.
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
        // A zero keeps a hairline, to differ from a gap.
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
