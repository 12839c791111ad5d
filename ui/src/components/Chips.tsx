import { Hidden } from './Bits.tsx';
import css from './cells.module.css';

interface Chip {
  id: number;
  name: string;
  /** What pressing it does, for those who cannot see where it stands. */ label: string;
  onPress: () => void;
}

/** What marks a row, in a cell: the first to press, the others counted and named when pointed at. A chip that is cut in half says nothing. */
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
