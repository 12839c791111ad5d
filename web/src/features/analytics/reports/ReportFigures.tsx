import { callTargets } from '#contract/analytics/call-analytics/rules';
import type { CallFigures } from '#contract/analytics/call-analytics/schemas';
import { formatFigure } from './format-figure.ts';
import { targetName } from './options.ts';
import css from './reports.module.css';

/** The figures of all calls of a report. */
export const ReportFigures = ({ totals }: { totals: CallFigures }) => (
  <dl className={css.figures}>
    {callTargets.map((target) => (
      <div key={target}>
        <dt>{targetName(target)}</dt>
        <dd>{formatFigure(target, totals[target])}</dd>
      </div>
    ))}
  </dl>
);
