import { formatNumber, t } from '#ui';
import css from './dashboard.module.css';
import { shade } from './shade.ts';
import { mapSize, stateShade, stateShapes } from './state-shapes.ts';

/** Calls by the state that the caller's number belongs to. The list beside it has every figure. */
export default function StateMap({ calls }: { calls: ReadonlyMap<string, number> }) {
  const most = Math.max(1, ...calls.values());
  return (
    <svg
      className={css.map}
      viewBox={`0 0 ${mapSize.width} ${mapSize.height}`}
      role="img"
      aria-label={t('Calls by state')}
    >
      {stateShapes.map(({ name, code, path }) => {
        const count = calls.get(code) ?? 0;
        return (
          <path key={name} d={path} style={{ fill: shade(stateShade(count, most)) }}>
            <title>{`${name}: ${formatNumber(count)}`}</title>
          </path>
        );
      })}
    </svg>
  );
}
