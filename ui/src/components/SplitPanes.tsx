import { useCallback, useRef, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { t } from '../i18n.ts';
import css from './SplitPanes.module.css';

interface Pane {
  key: 'list' | 'main' | 'side';
  label: string;
  content: React.ReactNode;
  /** In px; the main pane takes the rest. */
  width?: number;
  min?: number;
  max?: number;
}
interface SplitPanesProps {
  name: string;
  panes: Pane[];
  /** The pane that phones show. */
  visiblePane: Pane['key'];
}

/**
 * Two or three panes side by side, resizable by dragging or arrow keys; one at a time on phones.
 */
export function SplitPanes({ name, panes, visiblePane: showing }: SplitPanesProps) {
  const narrow =
    useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
  const tight =
    useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false }) ?? false;
  const place = `trunkline.panes.${name}`;
  const [widths, setWidths] = useState<Record<string, number>>(() => readStoredWidths(place));
  const root = useRef<HTMLDivElement>(null);
  const widthOf = (p: Pane): number => clamp(widths[p.key] ?? p.width ?? 300, p);
  const change = useCallback(
    (pane: Pane, width: number) =>
      setWidths((before) => {
        const next = { ...before, [pane.key]: clamp(Math.round(width), pane) };
        try {
          localStorage.setItem(place, JSON.stringify(next));
        } catch {
          /* private windows may refuse; the width then lasts as long as the page */
        }
        return next;
      }),
    [place],
  );

  if (narrow) {
    const pane = panes.find((p) => p.key === showing) ?? panes[0];
    return (
      <div className={css.one}>
        <section aria-label={pane?.label} className={css.pane}>
          {pane?.content}
        </section>
      </div>
    );
  }
  const shown = tight ? tabletPanes(panes, showing) : panes;
  return (
    <div className={css.root} ref={root}>
      {shown.map((pane, i) => (
        <div
          key={pane.key}
          className={css.slot}
          data-main={pane.key === 'main' || undefined}
          style={pane.key === 'main' ? undefined : { width: widthOf(pane) }}
        >
          {pane.key === 'side' && i > 0 && (
            <ResizeBar pane={pane} width={widthOf(pane)} towards={-1} onChange={change} />
          )}
          <section aria-label={pane.label} className={css.pane}>
            {pane.content}
          </section>
          {pane.key === 'list' && (
            <ResizeBar pane={pane} width={widthOf(pane)} towards={1} onChange={change} />
          )}
        </div>
      ))}
    </div>
  );
}

/** Tablets have no room for the third pane. */
const tabletPanes = (panes: readonly Pane[], visible: Pane['key']): Pane[] =>
  panes
    .filter((p) => p.key !== 'side' || visible === 'side')
    .filter((p) => p.key !== 'list' || visible !== 'side');

function ResizeBar({
  pane,
  width,
  towards: direction,
  onChange,
}: {
  pane: Pane;
  width: number;
  towards: 1 | -1;
  onChange: (pane: Pane, width: number) => void;
}) {
  return (
    <div
      className={css.bar}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('Width of {pane}', { pane: pane.label })}
      aria-valuenow={width}
      aria-valuemin={pane.min ?? 220}
      aria-valuemax={pane.max ?? 520}
      onKeyDown={(e) => {
        const step = e.key === 'ArrowRight' ? 16 : e.key === 'ArrowLeft' ? -16 : 0;
        if (step) {
          e.preventDefault();
          onChange(pane, width + step * direction);
        }
      }}
      onPointerDown={(e) => {
        e.preventDefault();
        const bar = e.currentTarget,
          from = e.clientX;
        bar.setPointerCapture(e.pointerId);
        const move = (m: PointerEvent): void =>
          onChange(pane, width + (m.clientX - from) * direction);
        bar.addEventListener('pointermove', move);
        bar.addEventListener('pointerup', () => bar.removeEventListener('pointermove', move), {
          once: true,
        });
      }}
    />
  );
}

const clamp = (width: number, p: Pane): number =>
  Math.max(p.min ?? 220, Math.min(p.max ?? 520, width));
function readStoredWidths(place: string): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}
