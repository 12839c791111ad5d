import css from './VisuallyHidden.module.css';

/** For screen readers only. */
export const Hidden = ({ children }: { children: React.ReactNode }) => (
  <span className={css.hidden}>{children}</span>
);
