import { formatNumber, t } from '#ui';
import css from './importing.module.css';
import type { Import } from './labels.ts';

type Counts = Pick<Import, 'rows' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'noted'>;

/** How many rows an import added, updated and skipped, or would. */
export function Figures({ counts }: { counts: Counts }) {
  const figures: [string, number, boolean?][] = [
    [t('Rows'), counts.rows],
    [t('New'), counts.created],
    [t('Updated'), counts.updated],
    [t('Unchanged'), counts.unchanged],
    [t('Skipped'), counts.skipped, counts.skipped > 0],
    [t('Partially imported'), counts.noted, counts.noted > 0],
  ];
  return (
    <dl className={css.figures}>
      {figures.map(([name, n, warn]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd {...(warn && { 'data-tone': 'warn' })}>{formatNumber(n)}</dd>
        </div>
      ))}
    </dl>
  );
}
