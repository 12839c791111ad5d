import type { tracking } from '#contract';
import { formatNumber } from '#ui';
import { useText } from './labels.ts';
import css from './pools.module.css';

/** How many of a pool's numbers are seen by visitors, resting, and free. */
export function UseBar({ pool }: { pool: Pick<tracking.PoolRow, 'use' | 'size'> }) {
  const { use, size } = pool;
  const text = useText(pool);
  return (
    <span className={css.use} title={text}>
      <span className={css.bar} role="img" aria-label={text}>
        {(['leased', 'static', 'quarantine'] as const).map((part) =>
          use[part] > 0 ? (
            <span
              key={part}
              className={css.part}
              data-part={part}
              style={{ width: `${(100 * use[part]) / Math.max(size, 1)}%` }}
            />
          ) : null,
        )}
      </span>
      <span className={css.legend} data-numeric aria-hidden>
        {formatNumber(use.leased + use.static)}/{formatNumber(size)}
      </span>
    </span>
  );
}
