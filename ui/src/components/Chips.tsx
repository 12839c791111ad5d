import { Hidden } from './VisuallyHidden.tsx';
import css from './cells.module.css';

interface Chip {
  id: number;
  name: string;
  /** What the button does, for screen readers. */
  label: string;
  onPress: () => void;
}

/**
 * Labels in a table cell: the first as a button, the others as a count with their names on hover,
 * so that none is cut off.
 */
export function Chips({ chips }: { chips: readonly Chip[] }) {
  const [first, ...others] = chips;
  if (!first) return null;
  const rest = others.map((one) => one.name).join(', ');
  return (
    <span className={css.tags}>
      <button
        type="button"
        className={css.tag}
        aria-label={first.label}
        title={first.name}
        onClick={first.onPress}
      >
        {first.name}
      </button>
      {rest && (
        <span className={css.more} title={rest}>
          <span aria-hidden>+{others.length}</span>
          <Hidden>{rest}</Hidden>
        </span>
      )}
    </span>
  );
}
