import { callTargets, type CallTarget } from '#contract/analytics/call-analytics/rules';
import type { CallFigures } from '#contract/analytics/call-analytics/schemas';
import { Change } from '../Change.tsx';
import { formatFigure } from './format-figure.ts';
import { targetName } from './options.ts';
import css from './reports.module.css';

/** The figures of all calls of a report; with `before`, against those of another period. */
export const ReportFigures = ({
  totals,
  before,
}: {
  totals: CallFigures;
  before?: CallFigures;
}) => (
  <dl className={css.figures}>
    {callTargets.map((target) => (
      <div key={target}>
        <dt>{targetName(target)}</dt>
        <dd>{formatFigure(target, totals[target])}</dd>
        {before && <Since target={target} now={totals[target]} was={before[target]} />}
      </div>
    ))}
  </dl>
);

function Since({
  target,
  now,
  was,
}: {
  target: CallTarget;
  now: number | null;
  was: number | null;
}) {
  if (now === null || was === null) return null;
  const abs = Math.round((now - was) * 10) / 10;
  const isRate = target === 'answer_rate';
  return (
    <dd className={css.since}>
      <Change
        abs={abs}
        pct={was ? Math.round((100 * abs) / was) : null}
        before={was}
        isRate={isRate}
        {...(target !== 'calls' && { format: (n: number) => formatFigure(target, n) })}
      />
    </dd>
  );
}
