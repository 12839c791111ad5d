import { numbers } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { formatTime, t, useApiQuery } from '#ui';
import css from './SearchForm.module.css';

const forever = { staleTime: Number.POSITIVE_INFINITY };
/**
 * Where an area code is, the local time there, and the overlay codes that serve the same area. Null
 * until three digits are typed.
 */
export default function AreaHint({
  code,
  onPick,
}: {
  code: string;
  onPick: (code: string) => void;
}) {
  const known = code.length === 3;
  const area = known ? areaCodes().get(code) : undefined;
  const { response } = useApiQuery(
    numbers.areaCodeOverlays,
    { params: { areaCode: code } },
    { ...forever, enabled: area !== undefined, silent: true },
  );
  if (!known) return null;
  if (!area)
    return (
      <p className={css.hint} role="status">
        {t('Area code {code} doesn’t exist.', { code })}
      </p>
    );
  return (
    <p className={css.hint} role="status">
      {t('{cities}, {state}. It’s {time} there.', {
        cities: area.cities.slice(0, 3).join(', '),
        state: area.stateName,
        time: formatTime(Date.now(), area.timezone),
      })}
      {response && response.data.overlays.length > 0 && (
        <>
          {' '}
          {t('Same area:')}{' '}
          {response.data.overlays.map((other) => (
            <button key={other} type="button" className={css.overlay} onClick={() => onPick(other)}>
              {other}
            </button>
          ))}
        </>
      )}
    </p>
  );
}
