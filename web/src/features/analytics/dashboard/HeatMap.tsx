import { Hidden, t } from '#ui';
import { rowLabel } from '../reports/row-label.ts';
import css from './dashboard.module.css';
import { shade } from './shade.ts';
import type { BoardRow } from './use-dashboard.ts';

const hours = Array.from({ length: 24 }, (_, n) => String(n).padStart(2, '0'));
const short = (key: string) => rowLabel('weekday', key, key).slice(0, 3);

/** Calls by weekday and hour, as a table whose cells are darker the more there are. */
export function HeatMap({ rows }: { rows: readonly BoardRow[] }) {
  const most = Math.max(1, ...rows.flatMap(({ values }) => hours.map((hour) => values[hour] ?? 0)));
  return (
    // It scrolls sideways on narrow screens, so keys must reach it.
    <div
      className={css.heat}
      tabIndex={0}
      role="region"
      aria-label={t('Calls by hour and weekday')}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">
              <Hidden>{t('Weekday')}</Hidden>
            </th>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {/* Every third, so that they have room. */}
                {Number(hour) % 3 === 0 ? (
                  rowLabel('hour', hour, hour)
                ) : (
                  <Hidden>{rowLabel('hour', hour, hour)}</Hidden>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, values }) => (
            <tr key={key}>
              <th scope="row">
                <span aria-hidden>{short(key)}</span>
                <Hidden>{rowLabel('weekday', key, key)}</Hidden>
              </th>
              {hours.map((hour) => {
                const calls = values[hour] ?? 0;
                return (
                  <td
                    key={hour}
                    title={t('{day}, {hour}: {n, plural, one {# call} other {# calls}}', {
                      day: rowLabel('weekday', key, key),
                      hour: rowLabel('hour', hour, hour),
                      n: calls,
                    })}
                    style={{ backgroundColor: shade(calls / most) }}
                  >
                    <Hidden>{calls}</Hidden>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
