import { formatNumber, t } from '#ui';
import metricCss from '../CallMetrics.module.css';
import { Change } from '../Change.tsx';
import { formatFigure } from '../reports/format-figure.ts';
import { rowLabel } from '../reports/row-label.ts';
import { Sparkline } from '../Sparkline.tsx';
import type { Board } from './use-dashboard.ts';

export interface Figure {
  name: string;
  label: string;
  betterWhen: 'more' | 'fewer';
  isRate?: boolean;
}
/** The five figures of the dashboard. */
export const figures = (): Figure[] => [
  { name: 'calls', label: t('Incoming calls'), betterWhen: 'more' },
  { name: 'answer_rate', label: t('Answer rate'), betterWhen: 'more', isRate: true },
  { name: 'missed', label: t('Missed calls'), betterWhen: 'fewer' },
  { name: 'first_time', label: t('First-time callers'), betterWhen: 'more' },
  { name: 'leads', label: t('Leads'), betterWhen: 'more' },
];

/** Five figures of the period, each by day and compared. */
export function FigureTiles({ board }: { board: Board }) {
  // By what is shown: while the next answer is on its way, that is still the one before.
  const group = board.data[0]?.key.includes('-') ? 'day' : 'hour';
  return (
    <ul className={metricCss.figures}>
      {figures().map((figure) => (
        <li key={figure.name}>
          <Tile figure={figure} board={board} group={group} />
        </li>
      ))}
    </ul>
  );
}

/** A figure in words. */
export const figureText = (isRate: boolean, value: number | null): string =>
  isRate ? formatFigure('answer_rate', value) : formatNumber(value ?? 0);

function Tile({
  figure: { name, label, betterWhen, isRate = false },
  board: { data, totals, previous },
  group,
}: {
  figure: Figure;
  board: Board;
  group: 'day' | 'hour';
}) {
  const text = (value: number | null): string => figureText(isRate, value);
  const change = previous?.change[name];
  const points = data.map(({ key, values }) => ({
    label: rowLabel(group, key, key),
    value: values[name] ?? null,
    text: text(values[name] ?? null),
  }));
  return (
    <div className={metricCss.figure}>
      <span>{label}</span>
      <strong data-numeric>{text(totals[name] ?? null)}</strong>
      {change && previous && (
        <Change
          {...change}
          before={previous.totals[name] ?? 0}
          betterWhen={betterWhen}
          isRate={isRate}
          {...(isRate && { format: text })}
        />
      )}
      <div className={metricCss.bars}>
        <Sparkline
          points={points}
          summary={t('{figure}, {start} to {end}', {
            figure: label,
            start: points[0]?.label ?? '',
            end: points.at(-1)?.label ?? '',
          })}
        />
      </div>
    </div>
  );
}
